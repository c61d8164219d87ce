import { yuan } from '#kernel/contract/money.ts';
import { renderPdf } from '#kernel/server/documents/pdf.ts';
import { adjustReasons, type AdjustmentReason } from '../../contract/adjustments.ts';

/** What an adjustment of the demonstration rests on, plainly marked as made up. */
export const adjustmentPaper = ({
  reasonCode,
  reason,
  amountFen,
}: {
  reasonCode: AdjustmentReason;
  reason: string;
  amountFen: number;
}): Buffer =>
  renderPdf({
    title: '调账依据',
    watermark: '演示资料 仅供体验',
    footer: '演示资料',
    blocks: [
      { kind: 'title', text: '调账依据', note: '演示资料' },
      {
        kind: 'fields',
        fields: [
          ['原因类型', adjustReasons.label(reasonCode)],
          ['金额', `${yuan(amountFen, true)}元`],
        ],
      },
      { kind: 'text', text: reason },
    ],
  });
