import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { previewGroup } from '../../contract/calls/queue.ts';
import { groupConversation } from '../../contract/im/ids.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { listColumns, listRow, listTables } from '../groups/listRows.ts';
import { imEngine } from '../im/engine.ts';
import { readHistory } from '../im/messages/history.ts';
import { inquiryAnswer, inquiryOfGroup } from '../inquiries/facts.ts';
import { patientLabels } from '../partners.ts';
import { requireSeen } from '../people/access.ts';

const LAST = 15;

/** A look at a group before it is taken; it moves no read cursor, nobody sees it, and the log keeps it. */
export const preview = (kernel: Kernel): Handler =>
  command(previewGroup, async ({ groupId }, ctx) => {
    const seen = await requireSeen(ctx.tx, ctx, groupId);
    const { me } = seen;
    const conv = await imEngine(kernel).names.find(ctx.tx, me.imUserId, groupConversation(groupId));
    const { rows } = await sql<
      Parameters<typeof listRow>[0]
    >`select ${listColumns(me)} from ${listTables} where g.group_id = ${groupId}`.execute(ctx.tx);
    const [label] = await patientLabels(ctx.tx, [seen.group.patientId]);
    if (!rows[0] || !conv) throw refuse(platformErrors.NOT_FOUND);
    const inquiry = await inquiryOfGroup(ctx.tx, groupId);
    const { messages } = await readHistory(ctx.tx, conv, me.imUserId, 1, { limit: LAST });
    ctx.target({ type: 'consultation.medicalGroup', id: groupId, no: seen.group.name });
    return {
      group: listRow(rows[0], ctx.has(may['chat.watch'])),
      inquiry: inquiryAnswer(inquiry, seen.group, { plain: true, has: () => false, now: ctx.now }, []),
      messages,
      patient: {
        patientId: seen.group.patientId,
        name: label?.name ?? '',
        gender: label?.gender ?? null,
        age: null,
        mobileMasked: label?.mobileMasked ?? null,
      },
    };
  });
