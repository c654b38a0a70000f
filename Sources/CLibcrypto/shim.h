#pragma once
/* The functions whose state is a plain struct are deprecated since OpenSSL 3.0, in favour of ones that allocate a state
   for each digest. This module uses the deprecated ones, because a copy of the struct is a copy of the state. */
#define OPENSSL_API_COMPAT 0x10100000L
#include <openssl/md5.h>
#include <openssl/sha.h>
