"""How many arguments Spark prints for functions whose arguments are often literals.

Source: `Expression.toString` (2.4 to 4.3) prints all constructor arguments that are not child-independent: the time
zone of `date_format(d#1, yyyy, Some(Etc/UTC))`, the limit of `split(s#1, ,, -1)`. Versions differ, so a function can
have several counts.
"""

from __future__ import annotations

from collections.abc import Mapping

_COUNTS = """
array_append 2
array_contains 2
array_join 2 3
array_position 2
array_prepend 2
array_remove 2
ascii 1
base64 1 2
cast 1
char_length 1
contains 2
crc32 1
date_format 2 3
decode 2 4
element_at 2 3 4
encode 2 4
endswith 2
find_in_set 2
format_number 2
from_csv 3
from_unixtime 2 3
get_json_object 2
gettimestamp 5 6
initcap 1 2
instr 2
length 1
levenshtein 2 3
locate 3
lower 1
lpad 3
ltrim 1 2
md5 1
nullif 2
overlay 4
parse_url 2 3
regexp_count 2
regexp_extract 3
regexp_extract_all 3
regexp_instr 3
regexp_replace 4
regexp_substr 2
repeat 2
replace 3
reverse 1
rlike 2
rpad 3
rtrim 1 2
sha2 2
soundex 1
split 3
split_part 3
startswith 2
str_to_map 3
stringreplace 3
stringsplitsql 2
substring 2 3
substring_index 3
substringindex 3
to_number 2
translate 3
trim 1 2
trunc 2
try_element_at 2 3 4
try_to_number 2
unbase64 1
upper 1
url_decode 1
url_encode 1
"""
ARGUMENTS: Mapping[str, frozenset[int]] = {
    name: frozenset(map(int, counts)) for name, *counts in map(str.split, _COUNTS.split("\n")[1:-1])
}
"""Function in lower case to the counts of arguments that it is printed with."""
