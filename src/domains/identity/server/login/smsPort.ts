import type { Instant } from '#kernel/contract/time.ts';
import type { Tx, Writing } from '#kernel/server/context.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { own } from '../database.ts';
import { mobileHash } from '../users/mobile.ts';

export interface SmsMessage {
  mobile: string;
  text: string;
  purpose: 'LOGIN' | 'STEP_UP' | null;
}

/** Whether text messages reach anybody: a provider, or the development mailbox outside production. */
export const smsAvailable = (kernel: Kernel): boolean => kernel.config.sms !== null || kernel.config.mode !== 'production';

/** Hands one queued message to the provider. Mobile and text are read from the table, never from the job's data. */
export const sendSmsJob = job<{ outboxId: string }>({
  name: 'identity.sendSms',
  label: '发送短信',
  retryLimit: 3,
  expireSeconds: 60,
  concurrency: 4,
  subject: ({ outboxId }) => outboxId,
  async run({ outboxId }, { kernel, db, signal }) {
    const provider = kernel.config.sms;
    const row = await own(db).selectFrom('identitySmsOutbox').selectAll().where('id', '=', outboxId).executeTakeFirst();
    if (!provider || !row || row.state === 'SENT') return;
    const answer = await fetch(provider.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${provider.key}`, 'idempotency-key': `sms-${outboxId}` },
      body: JSON.stringify({ mobile: kernel.secrets.decrypt(row.mobileCipher), text: kernel.secrets.decrypt(row.textCipher) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    });
    const text = (await answer.text()).slice(0, 500);
    await own(db)
      .updateTable('identitySmsOutbox')
      .set({ state: answer.ok ? 'SENT' : 'FAILED', providerAnswer: `${answer.status} ${text}` })
      .where('id', '=', outboxId)
      .execute();
    if (!answer.ok) throw new Error(`the SMS provider answers ${answer.status}`);
  },
});

/** Puts a message into the outbox; the provider gets it after the commit. Without one it stays there as the mailbox. */
export async function sendSms(kernel: Kernel, writing: Writing, message: SmsMessage, now: Instant): Promise<void> {
  const { id } = await insertMessage(kernel, writing.tx, message, now);
  if (kernel.config.sms) await writing.enqueue(sendSmsJob, { outboxId: id });
}

const insertMessage = (kernel: Kernel, tx: Tx, message: SmsMessage, now: Instant) =>
  own(tx)
    .insertInto('identitySmsOutbox')
    .values({
      at: now,
      mobileCipher: kernel.secrets.encrypt(message.mobile),
      mobileHash: mobileHash(kernel.secrets, message.mobile),
      textCipher: kernel.secrets.encrypt(message.text),
      purpose: message.purpose,
      state: kernel.config.sms ? 'QUEUED' : 'SENT',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
