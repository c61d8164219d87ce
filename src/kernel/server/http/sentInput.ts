import type { Call } from '../../contract/call.ts';
import { refuseField } from '../../contract/errors.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What a caller sent: a GET's parameters, otherwise the body with the parameters that the call declares.
 * @throws Refusal a parameter that is sent in the body: one field has one place
 */
export function sentInput(call: Call, request: { query: unknown; body: unknown }): unknown {
  if (call.method === 'GET') return request.query;
  const declared = call.query ?? [];
  if (declared.length === 0) return request.body;
  const given = isFields(request.query) ? request.query : {};
  const body = request.body ?? {};
  if (!isFields(body)) return body;
  const misplaced = declared.find((name) => name in body);
  if (misplaced !== undefined) throw refuseField(misplaced, '该参数须放在请求地址中');
  return { ...body, ...Object.fromEntries(declared.filter((name) => name in given).map((name) => [name, given[name]])) };
}
