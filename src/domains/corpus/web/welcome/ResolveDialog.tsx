import { Alert, Form, Modal, Select } from 'antd';
import { useState } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { ChannelPicker, DiseasePicker, DoctorPicker, ServiceItemPicker } from '#kernel/web/kit/pickers.tsx';
import { resolveWelcomeMessage } from '../../contract/welcome/calls.ts';
import { autoTrigger, scopesOf, triggersOf, type AutoKind, type AutoTrigger } from '../../contract/welcome/dictionaries.ts';

const WIDTH = 760;
const places = {
  CHANNEL: { key: 'channelId', label: '渠道', Picker: ChannelPicker },
  DOCTOR: { key: 'doctorId', label: '医生', Picker: DoctorPicker },
  SERVICE_ITEM: { key: 'serviceItemId', label: '服务项目', Picker: ServiceItemPicker },
  DISEASE: { key: 'diseaseId', label: '病种', Picker: DiseasePicker },
} as const;

/** 命中测试: which message a patient would get, and why not the others. */
export default function ResolveDialog({ kind, onClose }: { kind: AutoKind; onClose(): void }) {
  const [triggerType, setTrigger] = useState<AutoTrigger>(triggersOf(kind)[0]!);
  const [facts, setFacts] = useState<Readonly<Record<string, string | null>>>({});
  const { data, error, fetching, refetch } = useData(resolveWelcomeMessage, { triggerType, ...facts }, { quiet: true });
  const winner = data?.candidates.find(({ wins }) => wins);
  return (
    <Modal open title="命中测试" width={WIDTH} footer={null} onCancel={onClose}>
      <Form layout="vertical" className="kq-form-pair">
        <Form.Item label="触发时机" htmlFor="resolve-trigger">
          <Select
            id="resolve-trigger"
            value={triggerType}
            options={triggersOf(kind).map((value) => ({ value, label: autoTrigger.label(value) }))}
            onChange={(next: AutoTrigger) => setTrigger(next)}
          />
        </Form.Item>
        {scopesOf(kind).map((scope) => {
          if (scope === 'DEFAULT') return null;
          const { key, label, Picker } = places[scope];
          return (
            <Form.Item key={key} label={label} htmlFor={`resolve-${key}`}>
              <Picker
                id={`resolve-${key}`}
                value={facts[key] ?? null}
                placeholder={`不限${label}`}
                onChange={(value) => setFacts((now) => ({ ...now, [key]: value }))}
              />
            </Form.Item>
          );
        })}
      </Form>
      {data && (
        <Alert
          showIcon
          type={winner ? 'success' : 'warning'}
          title={winner ? `命中：${winner.name}（${winner.scope}）` : '没有命中的消息，将不发送'}
        />
      )}
      <DataTable
        rows={data?.candidates}
        height="auto"
        loading={fetching}
        error={error}
        onRetry={() => void refetch()}
        empty="该触发时机没有已启用的消息"
        columns={[
          { key: 'name', title: '名称', width: 180 },
          { key: 'scope', title: '适用范围', width: 160 },
          { key: 'valid', title: '有效期', width: 170 },
          { key: 'reason', title: '结果', width: 200 },
        ]}
      />
    </Modal>
  );
}
