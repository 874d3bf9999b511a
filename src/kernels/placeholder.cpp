#include "limen/kernels.h"
