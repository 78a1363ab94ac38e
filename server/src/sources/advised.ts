import { type Source, SourceFailure } from "./source.ts";

/** The source with the advice of another one, which has no data for the question, in its failures. */
export function advised(source: Source, advice: string | undefined): Source {
  if (advice === undefined) return source;
  const withAdvice = (error: unknown): unknown => {
    if (!(error instanceof SourceFailure)) return error;
    const { action, code, message, retryAfterSeconds, fault } = error;
    const rest = { ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }), fault, advice, cause: error };
    return new SourceFailure(action, code, message, rest);
  };
  const failing = <Given extends unknown[], Found>(ask: (...given: Given) => Promise<Found>) => {
    return (...given: Given): Promise<Found> =>
      ask(...given).catch((error: unknown) => Promise.reject(withAdvice(error)));
  };
  const { search, findArea, refuse } = source;
  return {
    ...source,
    search: failing(search),
    ...(findArea ? { findArea: failing(findArea) } : {}),
    ...(refuse
      ? {
          refuse() {
            try {
              refuse();
            } catch (error) {
              throw withAdvice(error);
            }
          },
        }
      : {}),
  };
}
