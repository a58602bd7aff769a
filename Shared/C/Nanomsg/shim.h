#pragma once

#include <errno.h>
#include <string.h>
#include <nanomsg/nn.h>
#include <nanomsg/pubsub.h>
#include <nanomsg/reqrep.h>
#include <nanomsg/tcp.h>

// The protocols are arithmetic macros and do not import.
static const int lunara_nn_pub = NN_PUB;
static const int lunara_nn_sub = NN_SUB;
static const int lunara_nn_req = NN_REQ;
static const int lunara_nn_rep = NN_REP;
// A negative literal in a macro does not import either.
static const int lunara_nn_tcp = NN_TCP;

// NN_MSG is a cast of an expression and does not import: a receive into memory that nanomsg allocates.
static inline int lunara_nn_receive(int socket, void **message) {
  return nn_recv(socket, message, NN_MSG, NN_DONTWAIT);
}

// The control-header macros (NN_CMSG_…) are arithmetic and do not import. Sends one body with one SP header, which for a raw REQ
// is the 4-byte request id and for a raw REP the return address that came with the request. Never blocks.
static inline int lunara_nn_send_headed(int socket, const void *header, size_t header_length, const void *body,
                                        size_t body_length) {
  char control[512] __attribute__((aligned(16)));
  size_t space = NN_CMSG_SPACE(sizeof(size_t) + header_length);
  if (space > sizeof control) {
    errno = EINVAL;
    return -1;
  }
  memset(control, 0, space);
  struct nn_cmsghdr *entry = (struct nn_cmsghdr *)control;
  entry->cmsg_len = NN_CMSG_LEN(sizeof(size_t) + header_length);
  entry->cmsg_level = PROTO_SP;
  entry->cmsg_type = SP_HDR;
  unsigned char *data = NN_CMSG_DATA(entry);
  memcpy(data, &header_length, sizeof(size_t));
  memcpy(data + sizeof(size_t), header, header_length);
  struct nn_iovec piece = {(void *)body, body_length};
  struct nn_msghdr message = {&piece, 1, control, space};
  return nn_sendmsg(socket, &message, NN_DONTWAIT);
}

// The reverse: body and control are allocated by nanomsg and freed with nn_freemsg; `header` points into control. A message
// without an SP header yields a header length of 0. Never blocks.
static inline int lunara_nn_receive_headed(int socket, void **body, void **control, const void **header,
                                           size_t *header_length) {
  *body = 0;
  *control = 0;
  *header = 0;
  *header_length = 0;
  struct nn_iovec piece = {body, NN_MSG};
  struct nn_msghdr message = {&piece, 1, control, NN_MSG};
  int length = nn_recvmsg(socket, &message, NN_DONTWAIT);
  if (length < 0) return length;
  for (struct nn_cmsghdr *entry = NN_CMSG_FIRSTHDR(&message); entry; entry = NN_CMSG_NXTHDR(&message, entry)) {
    if (entry->cmsg_level != PROTO_SP || entry->cmsg_type != SP_HDR) continue;
    if (entry->cmsg_len < NN_CMSG_LEN(sizeof(size_t))) continue;
    unsigned char *data = NN_CMSG_DATA(entry);
    size_t stated;
    memcpy(&stated, data, sizeof stated);
    if (stated > entry->cmsg_len - NN_CMSG_LEN(sizeof(size_t))) continue;
    *header = data + sizeof(size_t);
    *header_length = stated;
  }
  return length;
}
