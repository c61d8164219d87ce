import { Alert, Input, Select, Space } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { yuan } from '#kernel/contract/money.ts';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { NumberInput } from '#kernel/web/kit/NumberInput.tsx';
import { auditInquiry } from '../../contract/calls/inquiry.ts';
import type { VisitRow } from '../../contract/calls/visits.ts';
import { closeReasons } from '../../contract/dictionaries.ts';
import { refreshes } from './visitList.tsx';

export type InquiryAction = 'reopen' | 'extend' | 'refuse';
interface Values {
  reasonCode?: (typeof closeReasons.codes)[number];
  hours?: number;
  rounds?: number;
  opinion: string;
}
const titles: Record<InquiryAction, string> = { reopen: '恢复问诊', extend: '延长时长', refuse: '退诊' };
const successes = { reopen: '问诊已恢复', extend: '已延长', refuse: '已退诊' } as const;

/** 恢复问诊, 延长时长 and 退诊 of one inquiry. */
export function InquiryDialog({ row, act, onClose }: { row: VisitRow; act: InquiryAction; onClose(): void }) {
  const hint = {
    reopen: '恢复后患者可继续发言，问诊至少再保持12小时；已有的就诊小结保留。',
    extend: '医助可延长一次，不超过24小时、3轮；超出请由主管操作。',
    refuse: `退诊后问诊结束，费用 ${yuan(row.feeFen, true)} 元将原路退回患者。`,
  }[act];
  return (
    <FormDialog<typeof auditInquiry, Values>
      open
      title={`${titles[act]}：${row.inquiryNo}`}
      width={520}
      call={auditInquiry}
      recordKey={row.serverId}
      success={successes[act]}
      refreshes={refreshes}
      labels={{ reasonCode: '退诊原因', hours: '延长时长', rounds: '加赠轮次', opinion: act === 'refuse' ? '对患者说明' : '原因' }}
      initial={act === 'extend' ? { hours: 24, rounds: 0 } : {}}
      onClose={onClose}
      submitText={titles[act]}
      toInput={({ reasonCode, hours, rounds, opinion }) => ({
        serverId: row.serverId,
        version: row.version,
        action: act,
        opinion,
        ...(reasonCode && { reasonCode }),
        ...(act === 'extend' && { hours: hours ?? 0, rounds: rounds ?? 0 }),
      })}
    >
      <Alert type={act === 'refuse' ? 'warning' : 'info'} showIcon title={hint} style={{ marginBottom: 16 }} />
      {act === 'refuse' && (
        <Field of={auditInquiry} name="reasonCode" required>
          <Select placeholder="请选择" options={closeReasons.options.map(({ value, label }) => ({ value, label }))} />
        </Field>
      )}
      {act === 'extend' && (
        <Space size={24}>
          <Field of={auditInquiry} name="hours">
            <NumberInput min={0} max={72} precision={0} suffix="小时" style={{ width: 150 }} />
          </Field>
          <Field of={auditInquiry} name="rounds">
            <NumberInput min={0} max={10} precision={0} suffix="轮" style={{ width: 150 }} />
          </Field>
        </Space>
      )}
      <Field of={auditInquiry} name="opinion" label={act === 'refuse' ? '对患者说明' : '原因'} required>
        <Input.TextArea rows={3} showCount />
      </Field>
    </FormDialog>
  );
}
