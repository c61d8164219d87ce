import type { Context, Writing } from '#kernel/server/context.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { ownTx } from './database.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  fileIds: readonly string[];
}

/** Port of outgoing mail; sends after the commit. */
export interface Mailer {
  send(ctx: Writing & Pick<Context, 'now'>, mail: Mail): Promise<void>;
}

/** Hands a queued mail over. Embedded: it stays in the table, which is the development mailbox. */
export const sendMailJob = job<{ mailId: string }>({
  name: 'pharma.sendMail',
  label: '发送邮件',
  retryLimit: 5,
  subject: ({ mailId }) => mailId,
  run: async ({ mailId }, { transaction, now }) =>
    transaction(async ({ tx }) => {
      await ownTx(tx)
        .updateTable('pharmaMail')
        .set({ state: 'SENT', sentAt: now })
        .where('id', '=', mailId)
        .where('state', '=', 'QUEUED')
        .execute();
    }),
});

export const developmentMailer: Mailer = {
  async send(ctx, mail) {
    const { id } = await ownTx(ctx.tx)
      .insertInto('pharmaMail')
      .values({
        recipient: mail.to,
        subject: mail.subject,
        body: mail.text,
        fileIds: [...mail.fileIds],
        state: 'QUEUED',
        createdAt: ctx.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await ctx.enqueue(sendMailJob, { mailId: id });
  },
};
