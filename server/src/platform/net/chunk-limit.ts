import type { Dispatcher } from "undici";
import { OutboundFailure } from "./outbound-failure.ts";

const smallBytes = 64;
/** A page that a program writes word by word has fewer. */
const smallChunksMax = 16_384;

/**
 * Ends an answer that comes in very many small chunks. Each costs its parser some 2 µs, however little is in it: a
 * megabyte that came byte by byte took 2.3 s.
 */
export const limitSmallChunks: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  let left = smallChunksMax;
  return dispatch(options, {
    onRequestStart: (...start) => handler.onRequestStart?.(...start),
    onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
    onResponseStart: (...head) => handler.onResponseStart?.(...head),
    onResponseData(controller, chunk) {
      if (chunk.length < smallBytes) left -= 1;
      if (left >= 0) handler.onResponseData?.(controller, chunk);
      else controller.abort(new OutboundFailure("bad_response", "The target's answer came in too many small chunks."));
    },
    onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
    onResponseError: (...error) => handler.onResponseError?.(...error),
  });
};
