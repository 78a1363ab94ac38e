import { SerializerSelector } from "@fastify/fast-json-stringify-compiler";

type Factory = ReturnType<typeof SerializerSelector>;

/**
 * Compiles a serializer when its route first answers with its status. Compiling all of them at the start takes
 * seconds, and most of them are never used.
 */
export const buildSerializer: Factory = (schemas, options) => {
  const compile = SerializerSelector()(schemas, options);
  return (route) => {
    let serialize: ReturnType<typeof compile> | undefined;
    return (data) => {
      serialize ??= compile(route);
      return serialize(data);
    };
  };
};
