"""English words whose forms no rule leads back to one another: verbs, and a few nouns and adjectives."""

from __future__ import annotations

_FORMS = """
arise arose arisen|awake awoke awoken|bear bore borne|beat beaten|become became|begin began begun|bend bent
bind bound|bite bit bitten|bleed bled|blow blew blown|break broke broken|breed bred|bring brought
build built|burn burnt|buy bought|catch caught|choose chose chosen|cling clung|creep crept|deal dealt
dig dug|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen
feed fed|feel felt|fight fought|find found|flee fled|fling flung|fly flew flown|forbid forbade forbidden
forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given
go went gone goes|grind ground|grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept
kneel knelt|know knew known|lay laid|lead led|leap leapt|learn learnt|leave left|lend lent|light lit
lose lost|make made|mean meant|meet met|overcome overcame|pay paid|prove proven|ride rode ridden
ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent|sew sewn
shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk
sit sat|sleep slept|slide slid|smell smelt|sow sown|speak spoke spoken|spell spelt|spend spent|spill spilt
spin spun|spring sprang sprung|stand stood|steal stole stolen|stick stuck|sting stung|strike struck
swear swore sworn|sweep swept|swell swollen|swim swam swum|swing swung|take took taken|teach taught
tear tore torn|tell told|think thought|throw threw thrown|undergo underwent undergone
understand understood|undertake undertook|wake woke woken|wear wore worn|weave wove woven|weep wept|win won
wind wound|withdraw withdrew withdrawn|write wrote written
child children|foot feet|goose geese|knife knives|man men|mouse mice|person people
shelf shelves|tooth teeth|wife wives|wolf wolves|woman women|half halves|loaf loaves|thief thieves
good better best|bad worse worst|die died dying dies|lie lied lying lies|tie tied tying ties
"""

# Form to base: `went` to `go`.
BASES = {
    form: base
    for entry in _FORMS.replace("\n", "|").split("|")
    if entry
    for base, *forms in [entry.split()]
    for form in forms
}
