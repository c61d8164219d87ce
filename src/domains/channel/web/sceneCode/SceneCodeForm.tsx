import { Alert, Button, Drawer, Form, Input, Select } from 'antd';
import { Suspense, useState } from 'react';
import type { AnswerOf } from '../../../../kernel/contract/call.ts';
import { toast } from '../../../../kernel/web/feedback/toast.ts';
import { FormDrawer } from '../../../../kernel/web/form/FormDrawer.tsx';
import { useAct } from '../../../../kernel/web/http/queries.ts';
import { Section } from '../../../../kernel/web/detail/DetailLayout.tsx';
import { useUnsaved } from '../../../../kernel/web/tabs/page.tsx';
import type { CodeStyle } from '../../contract/calls/codeFields.ts';
import { batchAddSceneCode, modifySceneCode, querySceneCodeList, type SceneCodeRow } from '../../contract/calls/scenes.ts';
import { sceneEntries } from '../../contract/dictionaries.ts';
import { CodeStyleFields, styleOf, styleValues, type StyleValues } from '../shared/styleValues.ts';
import { RefSelect, RefsSelect } from '../shared/RefSelect.tsx';

interface Shared {
  entry: 'AUTO' | 'PAY';
  itemId?: string | null;
  assistantId?: string | null;
  remark?: string;
  style: StyleValues;
}

const sharedOf = (values: Shared) => ({ entry: values.entry, itemId: values.entry === 'PAY' ? (values.itemId ?? null) : null, assistantId: values.assistantId ?? null, remark: values.remark ?? '', style: styleOf(values.style) });

function SharedFields() {
  const entry = Form.useWatch('entry') as Shared['entry'] | undefined;
  return (
    <>
      <div className="ch-two">
        <Form.Item label="进入方式" name="entry" rules={[{ required: true, message: '请选择进入方式' }]}><Select options={sceneEntries.options.map(({ value, label }) => ({ value, label }))} /></Form.Item>
        {entry === 'PAY' && <Form.Item label="服务项目" name="itemId" rules={[{ required: true, message: '请选择服务项目' }]}><RefSelect type="ITEM" /></Form.Item>}
        <Form.Item label="医助" name="assistantId"><RefSelect type="ASSISTANT" placeholder="不选由系统分配" /></Form.Item>
        <Form.Item label="备注" name="remark" className="ch-wide"><Input maxLength={200} /></Form.Item>
      </div>
      <Section title="样式"><Suspense fallback={<div className="kq-loading" />}><CodeStyleFields /></Suspense></Section>
    </>
  );
}

/** Drawer 编辑; what the printed code says cannot change. */
export function SceneCodeEdit({ row, onClose }: { row: SceneCodeRow; onClose(): void }) {
  return (
    <FormDrawer<typeof modifySceneCode, Shared>
      open title={`编辑场景码：${row.sceneCodeNo}`} width={760} call={modifySceneCode} recordKey={row.id} refreshes={[querySceneCodeList]} success="修改成功!" onClose={onClose}
      initial={{ entry: row.entry, itemId: row.itemId, assistantId: row.assistantId, remark: row.remark, style: styleValues(row.style as CodeStyle) }} toInput={(values) => ({ id: row.id, version: row.version, ...sharedOf(values) })}
    >
      <SharedFields />
    </FormDrawer>
  );
}

interface Values extends Shared {
  sceneId: string;
  channelIds: string[];
  doctorIds?: string[];
}

/** Drawer 新增: channels times doctors, tried first, then made. */
export function SceneCodeAdd({ channelId, onClose }: { channelId: string | null; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const [trial, setTrial] = useState<AnswerOf<typeof batchAddSceneCode> | null>(null);
  const act = useAct(batchAddSceneCode, { refreshes: [querySceneCodeList], blockMs: 800 });
  useUnsaved(true);
  const run = async (dryRun: boolean) => {
    const values = await form.validateFields().catch(() => null);
    if (!values) return;
    const answer = await act.run({ sceneId: values.sceneId, channelIds: values.channelIds, doctorIds: values.doctorIds ?? [], dryRun, ...sharedOf(values) });
    if (!answer) return;
    if (dryRun) return setTrial(answer.data);
    toast(`新增 ${answer.data.added} 个，已存在 ${answer.data.same} 个，不可生成 ${answer.data.refused} 个`);
    onClose();
  };
  const refused = trial?.pairs.filter(({ result }) => result === 'REFUSED') ?? [];
  return (
    <Drawer
      open title="新增场景码" size={760} onClose={onClose} mask={{ closable: false }}
      footer={
        <div className="kq-form-foot">
          <span />
          <Button onClick={onClose}>取消</Button>
          <Button disabled={act.busy} onClick={() => void run(true)}>预览组合</Button>
          <Button type="primary" loading={act.flying} disabled={act.busy || !trial || trial.added === 0} onClick={() => void run(false)}>生成</Button>
        </div>
      }
    >
      <Form<Values> form={form} layout="vertical" initialValues={{ entry: 'AUTO', style: styleValues(), ...(channelId && { channelIds: [channelId] }) }} onValuesChange={() => setTrial(null)}>
        <Form.Item label="场景" name="sceneId" rules={[{ required: true, message: '请选择场景' }]}><RefSelect type="SCENE" placeholder="输入场景名称查找" /></Form.Item>
        <Form.Item label="渠道" name="channelIds" rules={[{ required: true, message: '请选择渠道' }]}><RefsSelect type="CHANNEL" max={20} placeholder="最多20个" /></Form.Item>
        <Form.Item label="医生" name="doctorIds"><RefsSelect type="DOCTOR" max={500} placeholder="不选则由导诊台安排" /></Form.Item>
        <SharedFields />
      </Form>
      {trial && (
        <Alert
          type={refused.length > 0 ? 'warning' : 'success'} showIcon title={`将新增 ${trial.added} 个，已存在 ${trial.same} 个，不可生成 ${trial.refused} 个`}
          description={refused.length > 0 && <ul className="ch-history">{[...Map.groupBy(refused, ({ message }) => message)].map(([message, pairs]) => <li key={message}>{message}：{pairs.length} 个组合</li>)}</ul>}
        />
      )}
    </Drawer>
  );
}
