// This module finds what is wrong with rules that parse.
