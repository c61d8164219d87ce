import { startProduct, type Product } from '../../e2e/product.ts';
import { runningAddress } from '#kernel/server/database/embedded/embedded.ts';
import { connectOwner } from '#kernel/server/database/migrator.ts';

export interface LongTalk extends Product {
  /** Name of the long conversation. */
  long: string;
}

/** The product with its demonstration, in which the longest conversation is as long as asked. */
export async function startWithLongTalk(length: number): Promise<LongTalk> {
  const product = await startProduct();
  try {
    return { ...product, long: await lengthen(product.dataDir, length) };
  } catch (error) {
    await product.stop();
    throw error;
  }
}

/** Says again what was said in the longest conversation, in the same order, until it is as long as asked. */
async function lengthen(dataDir: string, length: number): Promise<string> {
  const address = runningAddress(dataDir);
  if (!address) throw new Error('The database does not run');
  const owner = await connectOwner(address);
  try {
    const {
      rows: [long],
    } = await owner.query<{ convId: string; lastSeq: number; name: string }>(
      `
        select g.conv_id as "convId", c.last_seq::int as "lastSeq", g.name
          from consultation_medical_group g
          join consultation_im_conversation c using (conv_id)
          order by c.last_seq desc limit 1`,
    );
    await owner.query(
      `
        insert into consultation_im_message (
          conv_id, seq, sender_id, client_msg_id, type, payload, payload_hash, counts_unread, sent_at, search_tokens
        )
          select conv_id, $2::bigint + n, sender_id, gen_random_uuid()::text, type, payload, payload_hash, counts_unread,
              last_at + n * interval '1 second', search_tokens
            from (
              select m.*, row_number() over (order by seq) as n, max(sent_at) over () as last_at
                from consultation_im_message m
                where conv_id = $1 and revoked_at is null
            ) said
            where n <= $3`,
      [long!.convId, long!.lastSeq, length - long!.lastSeq],
    );
    const {
      rows: [at],
    } = await owner.query<{ seq: number }>('select max(seq)::int as seq from consultation_im_message where conv_id = $1', [long!.convId]);
    if (at!.seq !== length) throw new Error(`The long conversation has ${at!.seq} messages`);
    await owner.query('update consultation_im_conversation set last_seq = $2 where conv_id = $1', [long!.convId, at!.seq]);
    await owner.query('update consultation_im_member set read_seq = $2 where conv_id = $1', [long!.convId, at!.seq]);
    await owner.query('analyze consultation_im_message');
    return long!.name;
  } finally {
    await owner.end();
  }
}
