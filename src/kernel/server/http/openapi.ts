import * as z from 'zod/mini';
import type { Call } from '../../contract/call.ts';
import { isParameter, splitInput } from '../../contract/parameters.ts';

const schemaOf = (schema: z.ZodMiniType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' });

function dataSchema(call: Call): object {
  const row = schemaOf(call.output, 'output');
  if (call.shape === 'list') return { type: 'array', items: row };
  if (call.shape === 'cursor') {
    return { type: 'object', properties: { rows: { type: 'array', items: row }, nextCursor: { type: 'string' } } };
  }
  return row;
}

/** The input without what travels in the address. */
function bodySchema(call: Call, input: ReturnType<typeof schemaOf>): object {
  if (!call.query || !('properties' in input) || !input.properties) return input;
  return {
    ...input,
    properties: splitInput(call, input.properties).body,
    ...(input.required && { required: input.required.filter((name) => !isParameter(call, name)) }),
  };
}

/** The OpenAPI 3.1 document of all registered calls. */
export function openApiOf(calls: readonly Call[], prefixes: Readonly<Record<Call['host'], string>>): object {
  const paths = Object.fromEntries(
    calls.map((call) => {
      const input = schemaOf(call.input, 'input');
      const properties = 'properties' in input && input.properties ? Object.entries(input.properties) : [];
      const parameters = properties.filter(([name]) => isParameter(call, name)).map(([name, schema]) => ({ name, in: 'query', schema }));
      const request = {
        ...(parameters.length > 0 && { parameters }),
        ...(call.method !== 'GET' && { requestBody: { content: { 'application/json': { schema: bodySchema(call, input) } } } }),
      };
      return [
        `${prefixes[call.host]}/${call.name}`,
        {
          [call.method.toLowerCase()]: {
            operationId: call.name.replace('/', '_'),
            summary: call.label,
            tags: [call.service],
            'x-access': call.access,
            ...request,
            responses: {
              200: {
                description: '0000000 on success, SCM##### on refusal',
                content: {
                  'application/json': {
                    schema: {
                      type: 'object',
                      required: ['code', 'message', 'data'],
                      properties: {
                        code: { type: 'string' },
                        message: { type: 'string' },
                        data: dataSchema(call),
                        totalRecordCount: { type: 'integer' },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      ];
    }),
  );
  return { openapi: '3.1.0', info: { title: 'Kangqiao 康桥', version: '1' }, paths };
}
