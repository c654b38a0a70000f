// This module suggests selectors for elements.
