/* The floating-point environments of host_environment.h, for Rust. */

#include "host_environment.h"

unsigned bristle_host_environments(void) {
    return HOST_ENVIRONMENTS;
}

void bristle_host_environment_enter(unsigned kind) {
    host_environment_enter(kind);
}

int bristle_host_environment_leave(unsigned kind) {
    return host_environment_leave(kind);
}
