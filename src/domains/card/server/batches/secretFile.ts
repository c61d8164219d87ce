import { encryptedZip } from '#kernel/server/documents/encryptedZip.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { secretOf } from '../cards/cardNo.ts';
import { own } from '../database.ts';

const BOM = '﻿';

/** Numbers and secrets of a batch as a table under a password. Cards whose secret was set anew since are not in it. */
export async function secretFile(
  tx: Tx,
  secrets: Secrets,
  batch: { id: string; batchNo: string; secretSeed: string },
  password: string,
): Promise<{ bytes: Buffer; rowCount: number }> {
  const cards = await own(tx)
    .selectFrom('cardCard')
    .select('cardNo')
    .where('batchId', '=', batch.id)
    .where('state', '=', 'IN_STOCK')
    .orderBy('id')
    .execute();
  const lines = cards.map(({ cardNo }) => `\t${cardNo},${secretOf(secrets, batch.secretSeed, cardNo)}`);
  const content = `${BOM}${['卡号,卡密', ...lines].join('\r\n')}\r\n`;
  return { bytes: await encryptedZip(`${batch.batchNo}.csv`, Buffer.from(content), password), rowCount: cards.length };
}
