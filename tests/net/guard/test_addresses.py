"""The table of what is refused: no packet leaves the machine, not even for a name."""

from __future__ import annotations

import pytest

from agentctl.net.guard.failure import Refused
from tests.net.guard.network import Network

# URL -> words of the reason. None of them may lead to a connection.
REFUSED = {
    "http://127.0.0.1/": "127.0.0.1 is a loopback address; allow_private: true in the tool's config would",
    "http://127.0.0.1:9": "is a loopback address",
    "http://127.255.255.254/": "is a loopback address",
    "https://127.0.0.1/": "is a loopback address",
    "HTTP://127.0.0.1/": "is a loopback address",
    "http://127.0.0.1./": "127.0.0.1 is a loopback address",
    "http://2130706433/": "127.0.0.1 is a loopback address",
    "http://0x7f000001/": "127.0.0.1 is a loopback address",
    "http://0X7F.1/": "127.0.0.1 is a loopback address",
    "http://017700000001/": "127.0.0.1 is a loopback address",
    "http://0177.0.0.1/": "127.0.0.1 is a loopback address",
    "http://127.1/": "127.0.0.1 is a loopback address",
    "http://127.0.1/": "127.0.0.1 is a loopback address",
    "http://127.0x0.00.0x1/": "127.0.0.1 is a loopback address",
    "http://１２７.０.０.１/": "127.0.0.1 is a loopback address",
    "http://127。0。0。1/": "127.0.0.1 is a loopback address",
    "http://①②⑦.⓪.⓪.①/": "127.0.0.1 is a loopback address",
    "http://0/": "0.0.0.0 is an unspecified address",
    "http://0.0.0.0/": "an unspecified address; nothing can be fetched from there",
    "http://0x/": "0.0.0.0 is an unspecified address",
    "http://10.0.0.1/": "10.0.0.1 is a private address",
    "http://10.1/": "10.0.0.1 is a private address",
    "http://172.16.0.1/": "is a private address",
    "http://172.31.255.255/": "is a private address",
    "http://192.168.0.1/": "is a private address",
    "http://0xc0.0xa8.1/": "192.168.0.1 is a private address",
    "http://169.254.169.254/latest/meta-data/": 'metadata; only allow_hosts: ["169.254.169.254"]',
    "http://2852039166/": "169.254.169.254 is the link-local address of cloud metadata",
    "http://0251.0376.0251.0376/": "169.254.169.254 is the link-local",
    "http://169.254.0.1/": "is a link-local address",
    "http://168.63.129.16/": "the metadata service of a cloud",
    "http://100.64.0.1/": "is a carrier-grade NAT address",
    "http://100.127.255.255/": "is a carrier-grade NAT address",
    "http://100.100.100.200/": "the metadata service of a cloud",
    "http://192.0.0.1/": "is reserved for protocols",
    "http://192.0.2.1/": "an address for documentation",
    "http://198.51.100.1/": "an address for documentation",
    "http://203.0.113.1/": "an address for documentation",
    "http://198.18.0.1/": "an address for benchmarks",
    "http://192.88.99.1/": "a relay between IPv4 and IPv6",
    "http://224.0.0.1/": "a multicast address",
    "http://239.255.255.255/": "a multicast address",
    "http://240.0.0.1/": "a reserved address",
    "http://255.255.255.255/": "a reserved address",
    "http://[::1]/": "::1 is a loopback address",
    "http://[0:0:0:0:0:0:0:1]/": "::1 is a loopback address",
    "http://[::]/": ":: is an unspecified address",
    "http://[::ffff:127.0.0.1]/": "an IPv4-mapped address that holds 127.0.0.1, a loopback address",
    "http://[::ffff:7f00:1]/": "an IPv4-mapped address that holds 127.0.0.1",
    "http://[::ffff:8.8.8.8]/": "an IPv4-mapped address that holds 8.8.8.8;",
    "http://[::ffff:169.254.169.254]/": "cloud metadata; only allow_hosts:",
    "http://[::ffff:0:127.0.0.1]/": "an IPv4-translated address that holds 127.0.0.1",
    "http://[::127.0.0.1]/": "an IPv4-compatible address that holds 127.0.0.1",
    "http://[::8.8.8.8]/": "an IPv4-compatible address that holds 8.8.8.8",
    "http://[64:ff9b::127.0.0.1]/": "a NAT64 address that holds 127.0.0.1, a loopback address",
    "http://[64:ff9b::8.8.8.8]/": "a NAT64 address that holds 8.8.8.8",
    "http://[64:ff9b:1::7f00:1]/": "an address for translation to IPv4",
    "http://[2002:7f00:1::]/": "a 6to4 address that holds 127.0.0.1, a loopback address",
    "http://[2002:808:808::1]/": "a 6to4 address that holds 8.8.8.8",
    "http://[2001:0:0:0:0:0:80ff:fffe]/": "a Teredo address that holds 127.0.0.1",
    "http://[2606:4700::5efe:7f00:1]/": "an ISATAP address that holds 127.0.0.1, a loopback address",
    "http://[2001:db8::1]/": "an address for documentation",
    "http://[3fff::1]/": "an address for documentation",
    "http://[2001:2::1]/": "an address for benchmarks",
    "http://[2001:10::1]/": "is reserved for protocols",
    "http://[100::1]/": "an address that discards everything",
    "http://[5f00::1]/": "an address of segment routing",
    "http://[fc00::1]/": "a private address",
    "http://[fd12:3456::1]/": "a private address",
    "http://[fd00:ec2::254]/": "the metadata service of a cloud",
    "http://[fe80::1]/": "a link-local address",
    "http://[fec0::1]/": "a site-local address",
    "http://[ff02::1]/": "a multicast address",
    "http://[4000::1]/": "a reserved address",
    "http://[e000::1]/": "a reserved address",
    "http://[fe80::1%25eth0]/": "a zone in an address is refused",
    "http://[fe80::1%eth0]/": "a zone in an address is refused",
    "http://[::1/": "is no host",
    "http://::1/": "is no host",
    "http://[127.0.0.1]/": "this is no IPv6 address",
    "http://1.2.3.4.5/": "neither a host name nor an IPv4 address",
    "http://256.1.1.1/": "a number in it is too large",
    "http://4294967296/": "a number in it is too large",
    "http://09.1.1.1/": "neither a host name nor an IPv4 address",
    "http://public.example.0x/": "neither a host name nor an IPv4 address",
    "http://127.0.0.1%2f@public.example/": "a user name or password in a URL is refused",
    "http://me@public.example/": "a user name or password in a URL is refused",
    "http://me:secret@public.example/": "a user name or password in a URL is refused",
    "http://public.example@127.0.0.1/": "a user name or password in a URL is refused",
    "http://public.example\\@127.0.0.1/": "a backslash in a URL is refused",
    "http://public.example\\.local/": "a backslash in a URL is refused",
    "http://%31%32%37.0.0.1/": "this is no host name",
    "http://public%2eexample/": "this is no host name",
    "http://public..example/": "this is no host name",
    "http://.example/": "this is no host name",
    "http://-/": "this is no host name",
    "http://pub lic.example/": "this is no host name",
    "http://public.example\r\nx: y/": "holds a control character",
    "http://public.example\x00/": "holds a control character",
    "http://public.example/\ud800": "no character at all",
    "http://" + "a" * 64 + ".example/": "this is no host name",
    "http://" + "a." * 130 + "example/": "this is no host name",
    "http://public.example/" + "a" * 9_000: "the URL has 9,022 characters",
    "http:///x": "the URL names no host",
    "http://": "the URL names no host",
    "http:public.example/": "two slashes must follow",
    "http:/public.example/": "two slashes must follow",
    "http://public.example:0/": "there is no port 0",
    "http://public.example:65536/": "there is no port 65536",
    "http://public.example:8o/": "is no host",
    "http://public.example:８０/": "is no host",
    "http://public.example:22/": "allow_ports: [22] in the tool's config would allow it",
    "https://public.example:8443/": "port 8443 of public.example is refused",
    "ftp://public.example/": "only http and https can be requested, not ftp:",
    "file:///etc/passwd": "only http and https can be requested, not file:",
    "gopher://127.0.0.1:6379/_INFO": "only http and https can be requested, not gopher:",
    "javascript:alert(1)": "only http and https can be requested, not javascript:",
    "data:text/html,hi": "only http and https can be requested, not data:",
    "public.example/page": "has no scheme; write https://",
    "public.example:80/page": "has no scheme; write https://",
    "//public.example/": "has no scheme",
    "": "has no scheme",
    "http://localhost/": "localhost leads to 127.0.0.1, a loopback address; allow_private: true",
    "http://LOCALHOST./": "localhost leads to 127.0.0.1",
    "http://ⓛocalhost/": "localhost leads to 127.0.0.1",
    "http://sneaky.example/": "sneaky.example leads to 10.0.0.5, a private address",
    "http://mixed.example/": "mixed.example leads to 169.254.169.254, the link-local address of cloud",
    "http://six.example/": "six.example leads to ::ffff:7f00:1, an IPv4-mapped address",
    "http://zoned.example/": "zoned.example leads to fe80::1, a link-local address",
}
NAMES = {
    "localhost": [["127.0.0.1"]],
    "public.example": [["93.184.216.34"]],
    "sneaky.example": [["10.0.0.5"]],
    "mixed.example": [["93.184.216.34", "169.254.169.254"]],
    "six.example": [["::ffff:127.0.0.1"]],
    "zoned.example": [["fe80::1%eth0"]],
}


@pytest.mark.parametrize("url", REFUSED)
def test_what_is_not_the_public_internet_is_refused_with_its_reason(url: str) -> None:
    network = Network(NAMES)
    with pytest.raises(Refused) as error:
        network.get(url)
    assert REFUSED[url] in error.value.message
    assert "secret" not in error.value.message
    assert network.connected == []


# URL -> what is connected to, the name that TLS asks for, and the header `host`.
ALLOWED = {
    "http://public.example": (("93.184.216.34", 80), [], "public.example"),
    "https://public.example/": (("93.184.216.34", 443), ["public.example"], "public.example"),
    "https://public.example:80/": (("93.184.216.34", 80), ["public.example"], "public.example:80"),
    "http://PUBLIC.example.:80/": (("93.184.216.34", 80), [], "public.example"),
    "https://93.184.216.34/": (("93.184.216.34", 443), ["93.184.216.34"], "93.184.216.34"),
    "http://0x5d.184.55330/": (("93.184.216.34", 80), [], "93.184.216.34"),
    "https://[2606:2800:21f::1]/": (("2606:2800:21f::1", 443), ["2606:2800:21f::1"], "[2606:2800:21f::1]"),
    "https://bücher.example/": (("93.184.216.35", 443), ["xn--bcher-kva.example"], "xn--bcher-kva.example"),
    "http://例え.example/": (("93.184.216.36", 80), [], "xn--r8jz45g.example"),
    "http://a_b.example/": (("93.184.216.37", 80), [], "a_b.example"),
}


@pytest.mark.parametrize("url", ALLOWED)
def test_what_was_checked_is_connected_to_and_the_name_is_kept_for_tls_and_host(url: str) -> None:
    names = {
        "public.example": [["93.184.216.34"]],
        "xn--bcher-kva.example": [["93.184.216.35"]],
        "xn--r8jz45g.example": [["93.184.216.36"]],
        "a_b.example": [["93.184.216.37"]],
    }
    network = Network(names)
    place, tls, host = ALLOWED[url]
    assert network.get(url).body == b"hi"
    assert network.connected == [place]
    assert network.tls_names == tls
    assert f"\r\nhost: {host}\r\n".encode() in network.sent[0].lower()
    assert len(network.looked_up) <= 1


def test_the_table_is_long() -> None:
    assert len(REFUSED) + len(ALLOWED) > 120
