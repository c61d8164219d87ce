import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Refusal, refuse } from '#kernel/contract/errors.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { ObjectTooLarge } from '#kernel/server/storage/objectStorage.ts';
import { readPut } from '#kernel/server/storage/signedAddress.ts';
import { fileErrors } from '../contract/errors.ts';
import { SINGLE_LIMIT } from '../contract/purposes.ts';
import { own } from './database.ts';
import { answerRead } from './objects/deliver.ts';

const PART_KEY = /^parts\/(\d+)\/(\d+)$/;

/** Takes one part; a second PUT replaces it only while the upload is open. @throws Refusal SCM02012, SCM02013. */
async function takePart(kernel: Kernel, address: string, length: number, body: Readable): Promise<void> {
  const permit = readPut(kernel.secrets, address, kernel.clock.now());
  const fileId = PART_KEY.exec(permit?.key ?? '')?.[1];
  if (!permit || !fileId || kernel.storage.kind !== 'disk') throw refuse(fileErrors.ADDRESS_EXPIRED);
  if (length !== permit.size || length > SINGLE_LIMIT) throw refuse(fileErrors.PART_REFUSED);
  const open = await own(kernel.db)
    .selectFrom('filesFileObject as f')
    .innerJoin('filesUploadSession as s', 's.fileId', 'f.id')
    .select('f.id')
    .where('f.id', '=', fileId)
    .where('f.state', '=', 'PENDING')
    .where('s.voidedAt', 'is', null)
    .executeTakeFirst();
  if (!open) throw refuse(fileErrors.ADDRESS_EXPIRED);
  const stored = await kernel.storage.put(permit.key, body, { contentType: permit.contentType, maxSize: permit.size });
  if (stored.size !== permit.size) {
    await kernel.storage.remove(permit.key);
    throw refuse(fileErrors.PART_REFUSED);
  }
}

const asRefusal = (error: unknown): Refusal | null => {
  if (error instanceof Refusal) return error;
  return error instanceof ObjectTooLarge ? refuse(fileErrors.PART_REFUSED) : null;
};

/** The two routes that are no calls: the embedded store's PUT, and signed reads. Refusals are HTTP 400 with a code. */
export function registerFileRoutes(app: FastifyInstance, kernel: Kernel): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.setErrorHandler((error, _request, reply) => {
      const refusal = asRefusal(error);
      if (!refusal) kernel.log.error({ error }, 'a file could not be transferred');
      void reply.status(400).send({
        code: refusal?.code ?? fileErrors.PART_REFUSED.code,
        message: refusal?.message ?? fileErrors.PART_REFUSED.text,
        data: null,
      });
    });
    scope.put<{ Params: { address: string } }>('/files/put/:address', { bodyLimit: SINGLE_LIMIT }, async (request, reply) => {
      await takePart(kernel, request.params.address, Number(request.headers['content-length'] ?? -1), request.body as Readable);
      return reply.status(200).send();
    });
    scope.get<{ Params: { address: string } }>('/files/get/:address', (request, reply) =>
      answerRead(kernel, request.params.address, request, reply),
    );
  });
}
