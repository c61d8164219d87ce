import { Alert, Button, Drawer, Form } from 'antd';
import { useState } from 'react';
import type { AnswerOf } from '../../../../kernel/contract/call.ts';
import { toast } from '../../../../kernel/web/feedback/toast.ts';
import { useAct } from '../../../../kernel/web/http/queries.ts';
import { useUnsaved } from '../../../../kernel/web/tabs/page.tsx';
import { batchAddSceneCode, querySceneCodeList } from '../../contract/calls/scenes.ts';
import { RefSelect, RefsSelect } from '../shared/RefSelect.tsx';
import { styleValues } from '../shared/styleValues.ts';
import { SharedFields, sharedOf, type Shared } from './SceneCodeFields.tsx';

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
