import { Alert, Button, Checkbox, Drawer, Form, Radio } from 'antd';
import { useState } from 'react';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { newKey } from '#kernel/web/http/request.ts';
import { StepBar } from '#kernel/web/kit/StepBar.tsx';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { UnboundField } from '#kernel/web/form/UnboundField.tsx';
import { useLeaving } from '#kernel/web/tabs/page.tsx';
import {
  batchTransferAssistant,
  previewTransfer,
  queryAssistantBindHistory,
  queryAssistantList,
  queryAssistantSummary,
  type AssistantRow,
} from '../../contract/calls/assistants.ts';
import { transferStrategies } from '../../contract/dictionaries.ts';
import { RefsSelect } from '../services/Selects.tsx';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';
import { DoctorChoice } from './DoctorChoice.tsx';
import { Loads, TransferRows } from './TransferRows.tsx';

type Done = AnswerOf<typeof batchTransferAssistant>;
const STEPS = ['选择范围', '分配策略', '预览', '结果'];

/** Hands an assistant's doctors over: scope, strategy, preview, result row by row with another try for the refused ones. */
export function TransferWizard({ from, onClose }: { from: AssistantRow; onClose(): void }) {
  const [step, setStep] = useState(0);
  const [scope, setScope] = useState<'ALL' | 'DOCTORS'>('ALL');
  const [doctorIds, setDoctorIds] = useState<readonly string[]>([]);
  const [strategy, setStrategy] = useState<'ONE' | 'SPREAD'>('SPREAD');
  const [to, setTo] = useState<string[]>([]);
  const [withInquiries, setWithInquiries] = useState(true);
  const [reason, setReason] = useState('');
  const [done, setDone] = useState<Done | null>(null);
  // One key for one wish: a repeated click after a lost answer does not transfer twice.
  const [key, setKey] = useState(newKey);
  const close = useLeaving((step > 0 || doctorIds.length > 0) && done === null, onClose);
  const wish = {
    fromAssistantId: from.id,
    scope,
    doctorIds: scope === 'ALL' ? [] : [...doctorIds],
    strategy,
    toAssistantIds: to,
    withInquiries,
  };
  const preview = useData(previewTransfer, wish, { enabled: step === 2, quiet: true });
  const command = useCommand(batchTransferAssistant, { refreshes: [queryAssistantList, queryAssistantSummary, queryAssistantBindHistory] });
  const refused = done?.rows.filter(({ ok }) => !ok).length ?? 0;
  const run = async (retryOf: string | null) => {
    const answer = await command.run({ ...wish, reason: reason.trim(), retryOf }, { idempotencyKey: key });
    setKey(newKey());
    if (!answer) return;
    setDone(answer.data);
    setStep(3);
  };
  const ready =
    step === 0
      ? scope === 'ALL' || doctorIds.length > 0
      : step === 1
        ? strategy === 'ONE'
          ? to.length === 1
          : to.length > 0
        : reason.trim().length >= 2 && (preview.data?.rows.some(({ ok }) => ok) ?? false);
  return (
    <Drawer
      open
      size={900}
      title={`转移医生：${from.name}（主 ${from.primaryCount} / 备 ${from.backupCount}）`}
      onClose={close}
      mask={{ closable: false }}
      footer={
        <div className="kq-form-foot">
          <span />
          {step < 3 && (
            <Button disabled={command.flying} onClick={close}>
              取消
            </Button>
          )}
          {step > 0 && step < 3 && (
            <Button disabled={command.flying} onClick={() => setStep(step - 1)}>
              上一步
            </Button>
          )}
          {step < 2 && (
            <Button type="primary" disabled={!ready} onClick={() => setStep(step + 1)}>
              下一步
            </Button>
          )}
          {step === 2 && (
            <Button type="primary" disabled={!ready || command.busy} loading={command.flying} onClick={() => void run(null)}>
              开始转移
            </Button>
          )}
          {step === 3 && refused > 0 && (
            <Button type="primary" disabled={to.length === 0 || command.busy} loading={command.flying} onClick={() => void run(done!.id)}>
              重试失败项（{refused}）
            </Button>
          )}
          {step === 3 && <Button onClick={onClose}>完成</Button>}
        </div>
      }
    >
      <StepBar steps={STEPS} current={step} />
      {step === 0 && (
        <>
          <Radio.Group
            value={scope}
            onChange={({ target }) => setScope(target.value as 'ALL')}
            options={[
              { value: 'ALL', label: `全部医生（${from.primaryCount + from.backupCount}）` },
              { value: 'DOCTORS', label: '指定医生' },
            ]}
            style={{ marginBottom: 12 }}
          />
          {scope === 'DOCTORS' && <DoctorChoice assistantId={from.id} chosen={doctorIds} onChange={setDoctorIds} />}
        </>
      )}
      {step === 1 && (
        <Form layout="vertical">
          <Form.Item label="分配方式">
            <Radio.Group
              value={strategy}
              onChange={({ target }) => {
                setStrategy(target.value as 'ONE');
                setTo(to.slice(0, 1));
              }}
              options={transferStrategies.options.map(({ value, label }) => ({ value, label }))}
            />
          </Form.Item>
          <UnboundField
            label="接收医助"
            required
            extra={strategy === 'ONE' ? '全部转给所选的一名医助' : '进行中较多的医生先分，每位转给当时负荷最低者'}
          >
            <RefsSelect
              type="ASSISTANT"
              value={to}
              onChange={setTo}
              max={strategy === 'ONE' ? 1 : 20}
              except={from.id}
              placeholder="按姓名查找医助"
            />
          </UnboundField>
          <Form.Item>
            <Checkbox checked={withInquiries} onChange={({ target }) => setWithInquiries(target.checked)}>
              进行中的问诊一并转移
            </Checkbox>
          </Form.Item>
        </Form>
      )}
      {step === 2 && (
        <>
          {preview.data ? <TransferRows rows={preview.data.rows} fromName={from.name} /> : <Waiting for={preview} />}
          {preview.data && <Loads loads={preview.data.loads} />}
          <Form layout="vertical">
            <UnboundField label="转移原因" required>
              <TextArea
                value={reason}
                most={200}
                showCount
                autoSize={{ minRows: 2 }}
                placeholder="至少2个字符"
                onChange={({ target }) => setReason(target.value)}
              />
            </UnboundField>
          </Form>
        </>
      )}
      {step === 3 && done && (
        <>
          <Alert
            type={refused > 0 ? 'warning' : 'success'}
            showIcon
            title={`转移单 ${done.transferNo}：成功 ${done.rows.length - refused} 位，失败 ${refused} 位`}
            className="kq-form-alert"
          />
          <TransferRows rows={done.rows} fromName={from.name} />
          {refused > 0 && (
            <Form layout="vertical">
              <UnboundField label="失败项改转给">
                <RefsSelect type="ASSISTANT" value={to} onChange={setTo} max={strategy === 'ONE' ? 1 : 20} except={from.id} />
              </UnboundField>
            </Form>
          )}
        </>
      )}
    </Drawer>
  );
}
