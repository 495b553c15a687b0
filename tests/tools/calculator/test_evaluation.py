"""What the calculator makes of expressions."""

from __future__ import annotations

import cmath
import math
import random
import time
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from agentctl.tools.calculator.evaluation import calculate
from agentctl.tools.calculator.functions import CONSTANTS, FUNCTIONS
from agentctl.tools.calculator.series import PI, arctangent
from agentctl.tools.failure import ToolError

VALUES = {
    # exact decimals and whole numbers
    "37*91": "3367",
    "0.1+0.2": "0.3",
    "1.10 + 1.20": "2.3",
    "0.1*3": "0.3",
    "10/4": "2.5",
    "6/3": "2",
    "1/3*3": "1",
    "1/3*3 - 1": "0",
    "sqrt(2)^2 - 2": "0",
    "-1 % (1/1632)": "0",
    "1 // (1/3)": "3",
    "10^20 + 1/3 - 10^20": "0.33333333333333333333",
    "12345678901234567890*98765432109876543210": "1219326311370217952237463801111263526900",
    "123456789.123456789*987654321.987654321": "121932631356500531.347203169112635269",
    "2**200": "1606938044258990275541962092341162602522202993782792835301376",
    "10^60+1": "1" + "0" * 59 + "1",
    "-0.0": "0",
    # rounded ones
    "1/3": "0.33333333333333333333",
    "2/3": "0.66666666666666666667",
    "2^0.5": "1.4142135623730950488",
    "2**100000": "9.9900209301438450794e+30102",
    "1e-30": "1e-30",
    "0.001/3": "0.00033333333333333333333",
    # precedence
    "2+3*4": "14",
    "(2+3)*4": "20",
    "2^3^2": "512",
    "-2^2": "-4",
    "(-2)^2": "4",
    "2^-1": "0.5",
    "--3": "3",
    "3 - -3": "6",
    "100/10/2": "5",
    "2*3%4": "2",
    "8 - 3 - 2": "3",
    # whole quotients follow the divisor
    "7 // 2": "3",
    "-7 // 2": "-4",
    "-7.5 // 2": "-4",
    "-7 % 3": "2",
    "-7.5 % 2": "0.5",
    "7 % -3": "-2",
    "7 mod 3": "1",
    "5.5 % 2": "1.5",
    # factorial
    "5!": "120",
    "0!": "1",
    "2^3!": "64",
    "(3!)!": "720",
    "100!/98!": "9900",
    # percent
    "15%": "0.15",
    "200 + 10%": "220",
    "200 - 10%": "180",
    "100 + 10% + 10%": "121",
    "200 * 10%": "20",
    "15% of 80": "12",
    "10% + 5%": "0.15",
    "100 - 10% - 5": "85",
    "10% - 3": "-2.9",
    "50%*2": "1",
    "200 + (10%)": "200.1",
    "7 % 3": "1",
    "(2)%(3)": "2",
    "4!%": "0.24",
    # how people write
    "1,234.5 * 2": "2469",
    "1,234,567": "1234567",
    "((1,234))": "1234",
    "max(1,234)": "234",
    "max(1, (2+3)*4)": "20",
    "1_000": "1000",
    ".5 + 5.": "5.5",
    "6.02e23 * 10": "6020000000000000000000000",
    "37 × 91": "3367",
    "37 x 91": "3367",
    "2x3x4": "24",
    "6 ÷ 4": "1.5",
    "5 − 8": "-3",
    "１２＋３０": "42",
    "１，２３４．５": "1234.5",
    "（１＋２）＊３": "9",
    "٣ + ٤": "7",
    "2² + 3³": "31",
    "2¹⁰": "1024",
    "√16": "4",
    "√(2+2)": "2",
    "√√16": "2",
    "π": "3.1415926535897932385",
    "37*91 =": "3367",
    "37 * 91 = ?": "3367",
    "math.sqrt(16)": "4",
    "SQRT(16)": "4",
    "max([1, 2, 3])": "3",
    "0x1F + 0b101": "36",
    "0x10": "16",
    # functions
    "sqrt(2)^2": "2",
    "sqrt(10^60)": "1" + "0" * 30,
    "cbrt(27)": "3",
    "cbrt(-8)": "-2",
    "cbrt(0.001)": "0.1",
    "floor(cbrt(1000))": "10",
    "abs(-3.5)": "3.5",
    "round(2.5)": "3",
    "round(-2.5)": "-3",
    "round(1.005, 2)": "1.01",
    "round(1234.567, -2)": "1200",
    "round(4, -3)": "0",
    "round(10/3, 2)": "3.33",
    "round(3, 5)": "3",
    "floor(-1.5)": "-2",
    "ceil(1.2)": "2",
    "trunc(-1.7)": "-1",
    "min(3, 1, 2)": "1",
    "sum(1, 2, 3.5)": "6.5",
    "mean(1, 2, 3, 4)": "2.5",
    "avg(1, 2)": "1.5",
    "median(5, 1, 3)": "3",
    "median(4, 1, 3, 2)": "2.5",
    "hypot(3, 4)": "5",
    "mod(7, 3)": "1",
    "pow(2, 10)": "1024",
    "gcd(12, 18)": "6",
    "lcm(4, 6)": "12",
    "comb(5, 2)": "10",
    "comb(10, 20)": "0",
    "perm(5, 2)": "20",
    "factorial(5)": "120",
    "log(8, 2)": "3",
    "floor(log(1000, 10))": "3",
    "log10(1000)": "3",
    "log2(1024)": "10",
    "ln(e)": "1",
    "log(e^2)": "2",
    "exp(0)": "1",
    "exp(1)": "2.7182818284590452354",
    # circular and hyperbolic
    "sin(0)": "0",
    "sin(pi)": "0",
    "sin(pi/6)": "0.5",
    "cos(pi)": "-1",
    "cos(pi/2)": "0",
    "tan(pi/4)": "1",
    "sin(1e-40)": "1e-40",
    "sin(1e40)": "-0.56963340095363632731",
    "asin(1)": "1.5707963267948966192",
    "acos(-1)": "3.1415926535897932385",
    "atan(1)*4": "3.1415926535897932385",
    "atan2(0, -1)": "3.1415926535897932385",
    "atan2(-1, -1)*4/pi": "-3",
    "atan2(0, 0)": "0",
    "degrees(pi)": "180",
    "radians(180)": "3.1415926535897932385",
    "sinh(1)": "1.1752011936438014569",
    "tanh(2000)": "1",
    "asinh(1e-40)": "1e-40",
    "acosh(1)": "0",
    "0^0": "1",
    "tau/2": "3.1415926535897932385",
    "phi^2-phi": "1",
}


@pytest.mark.parametrize(("expression", "value"), VALUES.items())
def test_the_value_is_exact(expression: str, value: str) -> None:
    assert calculate(expression) == value


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("", "the expression is empty"),
        ("   ", "the expression is empty"),
        ("1+", "ends too early"),
        ("f(", "ends too early"),
        ("(1+2", r'a "\)" is missing'),
        ("1+2)", r'unexpected "\)" at character 4'),
        ("()", "nothing between the brackets"),
        ("1 + * 2", r'unexpected "\*" at character 5'),
        ("2(3)", r'an operator is missing before "\(" at character 2'),
        ("2π", 'an operator is missing before "pi" at character 2'),
        ("12 345", 'an operator is missing before "345"'),
        ("0,5", "decimals are written with a point"),
        ("1,23,4", "decimals are written with a point"),
        ("0,123", "decimals are written with a point"),
        ("1.2.3", "an operator is missing"),
        ("(1, 2)", "can only stand in a function"),
        ("$5", r'unexpected "\$" at character 1'),
        ("17:30 - 9:15", r'unexpected ":" at character 3; write a length of time as 1 h 30 min'),
        ("__import__('os')", "unexpected"),
        ("a.b", "unexpected"),
        ("lambda: 1", "unexpected"),
        ("sqr(4)", r'unknown name "sqr" \(did you mean "sqrt"\?\)'),
        ("x", 'unknown name "x"'),
        ("sqrt", 'unknown name "sqrt"'),
        ("pi(3)", 'unknown name "pi"'),
        ("sqrt()", "sqrt takes 1 numbers, not 0"),
        ("log(1, 2, 3)", "log takes 1 or 2 numbers, not 3"),
        ("max()", "max takes 1 or more numbers, not 0"),
        ("1/0", "division by zero"),
        ("1//0", "division by zero"),
        ("1.5%(0)", "division by zero"),
        ("0^-1", "division by zero"),
        ("sqrt(-1)", "no real square root"),
        ("(-8)^(1/3)", "no real value"),
        ("ln(0)", "above 0"),
        ("log(2, 1)", "base 1"),
        ("log(-1, 10)", "above 0"),
        ("asin(2)", "between -1 and 1"),
        ("atanh(1)", "between -1 and 1"),
        ("acosh(0.5)", "at least 1"),
        ("tan(pi/2)", "not defined"),
        ("sin(1e70)", "angle is too large"),
        ("(-3)!", "no factorial"),
        ("2.5!", "needs whole numbers"),
        ("5!!", "means different things"),
        ("gcd(1.5, 2)", "needs whole numbers"),
        ("comb(-1, 2)", "at least 0"),
        ("round(1, 0.5)", "needs whole numbers"),
    ],
)
def test_what_has_no_value_says_why(expression: str, message: str) -> None:
    with pytest.raises(ToolError, match=message):
        calculate(expression)


BOMBS = {
    "9**9**9": "too large",
    "9^9^9^9^9": "too large",
    "10!!!!": "means different things",
    "((10!)!)!": "up to 1000!",
    "99999999999!": "up to 1000!",
    "exp(1e9)": "too large",
    "1e999999999": "too large",
    "1e99999999999999999999": "not defined",
    "2^(10^4000)": "too large",
    "comb(10^15, 10^14)": "up to",
    "perm(10^15, 10^9)": "up to",
    "1e999999 % 7": "too far apart",
    "(" * 10_000 + "1" + ")" * 10_000: "nested more than 100",
    "-(" * 3_000 + "1" + ")" * 3_000: "nested more than 100",
    "^".join(["9"] * 5_000): "nested more than 100",
    "√" * 9_000 + "2": "nested more than 100",
    "5" + "%" * 9_000: "nested more than 100",
    "sqrt(" * 2_000 + "2" + ")" * 2_000: "nested more than 100",
    "*".join(["1000!"] * 1_600): "too large",
    "lcm(" + ",".join(str(10**90 + n) for n in range(90)) + ")": "more than 4,000 digits",
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_refused_before_it_costs_anything(bomb: str) -> None:
    started = time.process_time()
    with pytest.raises(ToolError, match=BOMBS[bomb]):
        calculate(bomb)
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("+".join(["1"] * 5_000), "5000"),
        ("-" * 9_999 + "1", "-1"),
        ("(" * 99 + "1" + ")" * 99, "1"),
        ("max(" + ",".join(map(str, range(2_000))) + ")", "1999"),
    ],
)
def test_what_is_long_but_harmless_is_computed(expression: str, value: str) -> None:
    assert calculate(expression) == value


def test_random_expressions_agree_with_exact_fractions() -> None:
    chance = random.Random(20261130)
    for _ in range(300):
        expression = _random_expression(chance, 4)
        try:
            wanted = eval(_fractions(expression), {"F": Fraction})
        except ZeroDivisionError:
            with pytest.raises(ToolError, match="division by zero"):
                calculate(expression)
            continue
        got = Fraction(Decimal(calculate(expression)))
        assert abs(got - wanted) <= abs(wanted) * Fraction(1, 10**18), expression


def _random_expression(chance: random.Random, depth: int) -> str:
    if depth == 0 or chance.random() < 0.2:
        return str(chance.choice([chance.randint(0, 99), chance.randint(1, 999) / 8]))
    left, right = (_random_expression(chance, depth - 1) for _ in range(2))
    return f"({left} {chance.choice(['+', '-', '*', '/', '//', '%'])} {right})"


def _fractions(expression: str) -> str:
    words = expression.replace("(", "( ").replace(")", " )").split()
    return " ".join(f"F('{word}')" if word[0].isdigit() else word for word in words)


@pytest.mark.parametrize("x", [-10.5, -2.0, -0.75, -0.001, 0.0, 0.3, 1.0, 1.5, 3.0, 100.25, 1e6])
@pytest.mark.parametrize(
    "name",
    ["sin", "cos", "tan", "atan", "sinh", "cosh", "tanh", "asinh", "exp", "asin", "acos", "atanh", "acosh"],
)
def test_functions_agree_with_floating_point(name: str, x: float) -> None:
    try:
        wanted = getattr(math, name)(x)
    except (ValueError, OverflowError):
        return
    assert math.isclose(float(calculate(f"{name}({x!r})")), wanted, rel_tol=1e-9, abs_tol=1e-12)


@pytest.mark.parametrize("name", ["max", "min", "sum", "mean", "median", "gcd", "lcm", "hypot"])
def test_one_number_is_enough(name: str) -> None:
    assert calculate(f"{name}(6)") == "6"


@pytest.mark.parametrize("name", ["sinh", "cosh"])
def test_what_grows_too_large_on_the_negative_side_is_too_large(name: str) -> None:
    with pytest.raises(ToolError, match="too large"):
        calculate(f"{name}(-1e500)")


def test_a_control_character_is_named_and_not_repeated() -> None:
    with pytest.raises(ToolError, match=r"unexpected the control character U\+001B at character 2"):
        calculate("1\x1b[31m")


def test_the_digits_of_pi_are_those_of_machins_formula() -> None:
    with localcontext() as context:
        context.prec = 150
        machin = 4 * (4 * arctangent(Decimal(1) / 5) - arctangent(Decimal(1) / 239))
    assert abs(machin - PI) < Decimal("1e-146")


def test_the_other_constants_have_all_their_digits() -> None:
    with localcontext() as context:
        context.prec = 70
        assert +CONSTANTS["e"] == Decimal(1).exp()
        assert +CONSTANTS["phi"] == (1 + Decimal(5).sqrt()) / 2
    assert math.isclose(CONSTANTS["tau"], cmath.tau)


def test_tables_are_sorted() -> None:
    assert list(FUNCTIONS) == sorted(FUNCTIONS)
    assert list(CONSTANTS) == sorted(CONSTANTS)
