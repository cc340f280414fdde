/*
 * host_status.h - what the files of the Node host do about a Node-API call
 * that fails.
 */
#ifndef CP_HOST_STATUS_H
#define CP_HOST_STATUS_H

/* In callbacks: throw and return. */
#define THROW_IF(env, call)                                             \
  do {                                                                  \
    if ((call) != napi_ok) {                                            \
      napi_throw_error((env), "CPROMISE_NODE_API", "cpromise: " #call); \
      return NULL;                                                      \
    }                                                                   \
  } while (0)

/* In helpers: hand the status up. */
#define RETURN_IF(call)                     \
  do {                                      \
    napi_status status_ = (call);           \
    if (status_ != napi_ok) return status_; \
  } while (0)

/* In finalizers nobody is left to tell. */
#define FATAL_IF(call)                                                       \
  do {                                                                       \
    if ((call) != napi_ok) {                                                 \
      napi_fatal_error(__FILE__, NAPI_AUTO_LENGTH, #call, NAPI_AUTO_LENGTH); \
    }                                                                        \
  } while (0)

#endif /* CP_HOST_STATUS_H */
