import * as z from 'zod/mini';
import type { Ocr } from './ocr.ts';

const ANSWER_MS = 15_000;
const reading = z.object({ fields: z.record(z.string(), z.nullable(z.string())) });
const faceCount = z.object({ count: z.nullable(z.int()) });

/**
 * A recognition service behind one address: `POST {url}/read` with `{kind, contentType, data}` answers `{fields}`,
 * `POST {url}/faces` with `{contentType, data}` answers `{count}`; the bytes go as base64, the key as bearer token.
 */
export function httpOcr(provider: { url: string; key: string }): Ocr {
  const ask = async <S extends z.ZodMiniType>(path: string, body: object, schema: S, signal?: AbortSignal): Promise<z.output<S>> => {
    const answer = await fetch(`${provider.url.replace(/\/+$/, '')}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${provider.key}` },
      body: JSON.stringify(body),
      signal: AbortSignal.any([AbortSignal.timeout(ANSWER_MS), ...(signal ? [signal] : [])]),
    });
    if (!answer.ok) throw new Error(`the OCR provider answers ${answer.status}`);
    return schema.parse(await answer.json());
  };
  return {
    available: true,
    async read({ kind, contentType, body }, signal) {
      const { fields } = await ask('read', { kind, contentType, data: body.toString('base64') }, reading, signal);
      return Object.fromEntries(
        Object.entries(fields).flatMap(([name, value]) => (value === null || value.trim() === '' ? [] : [[name, value.trim()]])),
      );
    },
    async faces({ contentType, body }, signal) {
      return (await ask('faces', { contentType, data: body.toString('base64') }, faceCount, signal)).count;
    },
  };
}
