import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { attach } from '#domains/files/server/index.ts';
import { addInquiry } from '../../contract/calls/inquiry.ts';
import { deedOf } from '../deed.ts';
import { CHAT_PURPOSE } from '../files.ts';
import { meOf } from '../people/me.ts';
import { createInquiry } from './create.ts';

/** 代开问诊 by an assistant. */
export const createHandlers = (kernel: Kernel): readonly Handler[] => [
  command(addInquiry, async (input, asked) => {
    const ctx = deedOf(kernel, asked);
    await meOf(ctx.tx, asked);
    const { inquiry, payUrl } = await createInquiry(ctx, input);
    await attach(
      ctx.tx,
      {
        fileIds: input.attachmentFileIds,
        purpose: CHAT_PURPOSE,
        ownerType: 'consultation.inquiry',
        ownerId: inquiry.id,
        field: 'attachments',
        userId: asked.staff.userId,
      },
      ctx.now,
    );
    ctx.target({ type: 'consultation.inquiry', id: inquiry.id, no: inquiry.inquiryNo });
    return { serverId: inquiry.id, orderNo: inquiry.orderNo, groupId: inquiry.groupId, payUrl, payFen: inquiry.feeFen };
  }),
];
