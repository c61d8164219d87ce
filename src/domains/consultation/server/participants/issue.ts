import { createHash, randomBytes } from 'node:crypto';
import { hours, plusMs, type Instant } from '#kernel/contract/time.ts';
import { originOf } from '#kernel/server/config/origin.ts';
import type { Deed } from '../deed.ts';
import { ownTx } from '../database.ts';

const LIFE_HOURS = 24;
const TOKEN_BYTES = 32;

export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex');
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

export interface TicketWish {
  imUserId: string;
  /** Null: all groups of that account. */
  groupId: string | null;
  reason: string;
  demo: boolean;
}

/** A link into the participants' page; its token is shown once, only the hash is kept. */
export async function issueTicket(ctx: Deed, wish: TicketWish): Promise<{ id: string; url: string; expiresAt: Instant }> {
  const token = newToken();
  const expiresAt = plusMs(ctx.now, hours(LIFE_HOURS));
  const { id } = await ownTx(ctx.tx)
    .insertInto('consultationParticipantTicket')
    .values({
      ...wish,
      tokenHash: hashOfToken(token),
      expiresAt,
      state: 'ACTIVE',
      issuedBy: ctx.staffOrNull?.userId ?? null,
      createdAt: ctx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, url: `${originOf(ctx.kernel.config)}/wx/consult?ticket=${token}`, expiresAt };
}
