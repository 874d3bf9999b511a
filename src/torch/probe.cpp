#include "limen/torch.h"
