import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { query } from '#kernel/server/handler.ts';
import { querySmsOutbox } from '../../contract/calls/system.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { mobileHash } from '../users/mobile.ts';

const LATEST = 50;

/** The development mailbox: the latest text messages, only where no provider sends them and never in production. */
export const mailboxHandler = ({ kernel }: IdentityCore) =>
  query(querySmsOutbox, async ({ mobile }, { db }) => {
    if (kernel.config.sms || kernel.config.mode === 'production') throw refuse(platformErrors.NOT_FOUND);
    const rows = await own(db)
      .selectFrom('identitySmsOutbox')
      .selectAll()
      .$if(mobile !== undefined && mobile !== '', (select) => select.where('mobileHash', '=', mobileHash(kernel.secrets, mobile!)))
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(LATEST)
      .execute();
    return rows.map((row) => ({
      id: row.id,
      at: row.at,
      mobile: kernel.secrets.decrypt(row.mobileCipher),
      text: kernel.secrets.decrypt(row.textCipher),
      purpose: row.purpose,
      state: row.state,
    }));
  });
