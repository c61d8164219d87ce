import { Form, Input, Modal, Radio, Select } from 'antd';
import { useState } from 'react';
import { toast } from '../../../../kernel/web/feedback/toast.ts';
import { FormDialog } from '../../../../kernel/web/form/FormDrawer.tsx';
import { useAct } from '../../../../kernel/web/http/queries.ts';
import { DataTable } from '../../../../kernel/web/kit/DataTable.tsx';
import { bindAssistant } from '../../contract/assistantCalls.ts';
import { usualFields } from '../../contract/cardFields.ts';
import { batchGenerateDoctorCard } from '../../contract/cardCalls.ts';
import { bindRoles, cardTemplates } from '../../contract/dictionaries.ts';
import { queryDoctorDetail, queryDoctorList } from '../../contract/doctorCalls.ts';
import { RefSelect } from './RefSelect.tsx';

interface Doctors {
  doctors: readonly { doctorId: string; name: string }[];
  onClose(): void;
}
interface Result {
  id: string;
  name: string;
  ok: boolean;
  message: string;
}
const reads = [queryDoctorList, queryDoctorDetail];
const whose = (doctors: Doctors['doctors']) => (doctors.length === 1 ? doctors[0]!.name : `${doctors.length}位医生`);
const options = (dictionary: { options: readonly { value: string; label: string }[] }) => dictionary.options.map(({ value, label }) => ({ value, label }));

/** One doctor is told in a toast; of many, each row. */
function Results({ title, rows, onClose }: { title: string; rows: readonly Result[]; onClose(): void }) {
  return (
    <Modal open title={title} width={620} footer={null} onCancel={onClose}>
      <p>{`成功${rows.filter(({ ok }) => ok).length}位，失败${rows.filter(({ ok }) => !ok).length}位`}</p>
      <DataTable height={320} rows={[...rows].sort((a, b) => Number(a.ok) - Number(b.ok))} empty="没有结果" columns={[{ key: 'name', title: '医生', width: 140 }, { key: 'message', title: '结果', kind: 'custom', width: 380, render: (row) => <span className={row.ok ? '' : 'kq-danger'} title={row.message}>{row.ok ? row.message || '成功' : row.message}</span> }]} />
    </Modal>
  );
}

interface BindValues {
  assistantId: string;
  role: 'PRIMARY' | 'BACKUP';
}
export function BindDialog({ doctors, onClose }: Doctors) {
  const [form] = Form.useForm<BindValues>();
  const [results, setResults] = useState<readonly Result[] | null>(null);
  const act = useAct(bindAssistant, { refreshes: reads, onSuccess: ({ data }) => setResults(data) });
  if (results) return <Results title="绑定医助" rows={results} onClose={onClose} />;
  return (
    <Modal open title={`绑定医助：${whose(doctors)}`} okText="确定" cancelText="取消" confirmLoading={act.flying} onOk={() => form.submit()} onCancel={onClose}>
      <Form form={form} layout="vertical" initialValues={{ role: 'PRIMARY' }} onFinish={({ assistantId, role }) => void act.run({ doctorIds: doctors.map(({ doctorId }) => doctorId), assistantId, role })}>
        <Form.Item label="医助" name="assistantId" rules={[{ required: true, message: '请选择医助' }]}><RefSelect type="ASSISTANT" placeholder="按姓名或编号查找" /></Form.Item>
        <Form.Item label="角色" name="role"><Radio.Group options={options(bindRoles)} /></Form.Item>
      </Form>
    </Modal>
  );
}

interface CardValues {
  template: (typeof cardTemplates.codes)[number];
  headline?: string;
}
export function CardDialog({ doctors, onClose }: Doctors) {
  return (
    <FormDialog<typeof batchGenerateDoctorCard, CardValues>
      open
      title={`生成名片：${whose(doctors)}`}
      call={batchGenerateDoctorCard}
      initial={{ template: 'BLUE' }}
      toInput={({ template, headline }) => ({ doctorIds: doctors.map(({ doctorId }) => doctorId), template, headline: headline ?? '', showFields: [...usualFields], keepLooks: false })}
      onDone={({ data }) => toast(`已开始生成${data.total}张名片，可在“医生名片”查看`)}
      refreshes={reads}
      onClose={onClose}
    >
      <Form.Item label="模板" name="template"><Select options={options(cardTemplates)} /></Form.Item>
      <Form.Item label="标语" name="headline"><Input maxLength={30} showCount placeholder="显示在姓名下方" /></Form.Item>
    </FormDialog>
  );
}
