import { Form, Modal, Select } from 'antd';
import { useState } from 'react';
import { UnboundField } from '#kernel/web/form/UnboundField.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { send } from '#kernel/web/http/client.ts';
import { refresh } from '#kernel/web/http/queries.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import { BatchResult } from '#kernel/web/list/BatchResult.tsx';
import type { RowOutcome } from '#kernel/web/list/rowOutcome.ts';
import { hospitalLevels } from '../../contract/dictionaries.ts';
import { modifyHospitalLevel, queryHospitalCounts, queryHospitalList, type HospitalRow } from '../../contract/hospitalCalls.ts';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';

/** 批量修改等级, with the document it rests on; row by row. */
export function LevelDialog({ rows, onClose, onDone }: { rows: readonly HospitalRow[]; onClose(): void; onDone(): void }) {
  const [level, setLevel] = useState<HospitalRow['level'] | null>(null);
  const [opinion, setOpinion] = useState('');
  const [outcomes, setOutcomes] = useState<readonly RowOutcome[] | null>(null);
  const [running, setRunning] = useState(false);
  const start = async () => {
    if (!level || opinion.trim().length < 2) return toast('请选择等级并填写依据', 'warning');
    setRunning(true);
    const done: RowOutcome[] = [];
    for (const row of rows) {
      try {
        await send(modifyHospitalLevel, { id: row.id, version: row.version, level, opinion }, { quiet: true });
        done.push({ name: row.name, ok: true, message: '成功' });
      } catch (error) {
        done.push({ name: row.name, ok: false, message: failureText(error) });
      }
      setOutcomes([...done]);
    }
    setRunning(false);
    void refresh(queryHospitalList, queryHospitalCounts);
    onDone();
  };
  if (outcomes) return <BatchResult title="批量修改等级" outcomes={outcomes} running={running} total={rows.length} onClose={onClose} />;
  return (
    <Modal
      open
      title={`批量修改等级（${rows.length}家）`}
      onCancel={onClose}
      onOk={() => void start()}
      okText="确定"
      cancelText="取消"
      confirmLoading={running}
      mask={{ closable: false }}
      destroyOnHidden
    >
      <Form layout="vertical">
        <UnboundField label="新等级" required>
          <Select<HospitalRow['level']>
            className="kq-wide"
            placeholder="请选择"
            value={level}
            onChange={setLevel}
            options={hospitalLevels.options.map(({ value, label }) => ({ value, label }))}
          />
        </UnboundField>
        <UnboundField label="依据（批文名称、文号）" required>
          <TextArea rows={2} most={500} value={opinion} onChange={(event) => setOpinion(event.target.value)} />
        </UnboundField>
      </Form>
    </Modal>
  );
}
