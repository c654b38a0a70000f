// This module runs the tests that stand beside rules.
