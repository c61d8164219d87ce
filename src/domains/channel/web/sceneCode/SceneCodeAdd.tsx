import { Alert, Button, Drawer, Form } from 'antd';
import { useState } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import type { AnswerOf, InputOf } from '#kernel/contract/call.ts';
import { toast } from '#kernel/web/feedback/toast.ts';
import { send } from '#kernel/web/http/client.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { useLeaving } from '#kernel/web/tabs/page.tsx';
import { querySelectOptions } from '../../contract/calls/channels.ts';
import { batchAddSceneCode, querySceneCodeList } from '../../contract/calls/scenes.ts';
import { RefSelect, RefsSelect } from '../shared/RefSelect.tsx';
import { styleValues } from '../shared/styleValues.ts';
import { SharedFields, sharedOf, type Shared } from './SceneCodeFields.tsx';

interface Values extends Shared {
  sceneId: string;
  channelIds: string[];
  doctorIds?: string[];
}

type Answer = AnswerOf<typeof batchAddSceneCode>;
interface Trial extends Answer {
  rows: readonly (Answer['pairs'][number] & { key: string; channel: string; doctor: string })[];
}
/** What cannot be made stands first. */
const order = { REFUSED: 0, NEW: 1, SAME: 2 } as const;
/** As many as one call answers by id. */
const MOST = 100;

async function namesOf(type: InputOf<typeof querySelectOptions>['type'], ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const parts = Array.from({ length: Math.ceil(ids.length / MOST) }, (_, index) => ids.slice(index * MOST, (index + 1) * MOST));
  const answers = await Promise.all(parts.map((part) => send(querySelectOptions, { type, ids: part }).catch(() => [])));
  return new Map(answers.flat().map(({ value, label }) => [value, label]));
}

/** Drawer 新增: channels times doctors, tried first, then made. */
export function SceneCodeAdd({ channelId, onClose }: { channelId: string | null; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const [trial, setTrial] = useState<Trial | null>(null);
  const command = useCommand(batchAddSceneCode, { refreshes: [querySceneCodeList], blockMs: 800 });
  const [touched, setTouched] = useState(false);
  const close = useLeaving(touched, onClose);
  const run = async (dryRun: boolean) => {
    const values = await form.validateFields().catch(() => null);
    if (!values) return;
    const answer = await command.run({
      sceneId: values.sceneId,
      channelIds: values.channelIds,
      doctorIds: values.doctorIds ?? [],
      dryRun,
      ...sharedOf(values),
    });
    if (!answer) return;
    if (dryRun) {
      const [channels, doctors] = await Promise.all([namesOf('CHANNEL', values.channelIds), namesOf('DOCTOR', values.doctorIds ?? [])]);
      return setTrial({
        ...answer.data,
        rows: answer.data.pairs
          .map((pair) => ({
            ...pair,
            key: `${pair.channelId}:${pair.doctorId ?? ''}`,
            channel: channels.get(pair.channelId) ?? '',
            doctor: pair.doctorId === null ? '导诊台安排' : (doctors.get(pair.doctorId) ?? ''),
          }))
          .toSorted((a, b) => order[a.result] - order[b.result]),
      });
    }
    toast(`新增 ${answer.data.added} 个，已存在 ${answer.data.same} 个，不可生成 ${answer.data.refused} 个`);
    onClose();
  };
  return (
    <Drawer
      open
      title="新增场景码"
      size={760}
      onClose={close}
      mask={{ closable: false }}
      footer={
        <div className="kq-form-foot">
          <span />
          <Button onClick={close}>取消</Button>
          <Button disabled={command.busy} onClick={() => void run(true)}>
            预览组合
          </Button>
          <Button
            type="primary"
            loading={command.flying}
            disabled={command.busy || !trial || trial.added === 0}
            onClick={() => void run(false)}
          >
            生成
          </Button>
        </div>
      }
    >
      <Form<Values>
        form={form}
        layout="vertical"
        initialValues={{ entry: 'AUTO', style: styleValues(), ...(channelId && { channelIds: [channelId] }) }}
        onValuesChange={() => {
          setTouched(true);
          setTrial(null);
        }}
      >
        <Field of={batchAddSceneCode} name="sceneId">
          <RefSelect type="SCENE" placeholder="输入场景名称查找" />
        </Field>
        <Field of={batchAddSceneCode} name="channelIds">
          <RefsSelect type="CHANNEL" max={20} placeholder="最多20个" />
        </Field>
        <Field of={batchAddSceneCode} name="doctorIds">
          <RefsSelect type="DOCTOR" max={500} placeholder="不选则由导诊台安排" />
        </Field>
        <SharedFields />
      </Form>
      {trial && (
        <>
          <Alert
            type={trial.refused > 0 ? 'warning' : 'success'}
            showIcon
            className="kq-form-alert"
            title={`将新增 ${trial.added} 个，已存在 ${trial.same} 个，不可生成 ${trial.refused} 个`}
          />
          <DataTable
            rows={trial.rows}
            rowKey="key"
            height={trial.rows.length > 8 ? 320 : 'auto'}
            columns={[
              { key: 'channel', title: '渠道', width: 200 },
              { key: 'doctor', title: '医生', width: 200 },
              {
                key: 'result',
                title: '结果',
                width: 220,
                kind: 'custom',
                render: (row) => (
                  <span title={row.message} className={row.result === 'REFUSED' ? 'kq-danger' : row.result === 'SAME' ? 'kq-muted' : ''}>
                    {row.result === 'NEW' ? '将新增' : row.message || '已存在'}
                  </span>
                ),
              },
            ]}
          />
        </>
      )}
    </Drawer>
  );
}
