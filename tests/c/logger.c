/* A logger as C importers write them: it formats its variadic arguments as printf would.
 *
 * The finished line goes to the function that the component environment begins with; Rust can fill in that function
 * but cannot define the variadic one. It is independent of the structure that keeps the line. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef void (*record_function)(void *environment, const char *instance, int status, const char *category,
                                const char *text);

/* The beginning of the structure that Rust hands to the FMU as its component environment. */
struct environment {
    record_function record;
};

void bristle_test_logger(void *environment, const char *instance, int status, const char *category,
                         const char *message, ...) {
    va_list arguments;
    int length;
    char *text;

    if (environment == NULL || message == NULL) {
        return;
    }
    va_start(arguments, message);
    length = vsnprintf(NULL, 0, message, arguments);
    va_end(arguments);
    if (length < 0 || (text = malloc((size_t)length + 1)) == NULL) {
        return;
    }
    va_start(arguments, message);
    vsnprintf(text, (size_t)length + 1, message, arguments);
    va_end(arguments);
    ((struct environment *)environment)->record(environment, instance, status, category, text);
    free(text);
}
