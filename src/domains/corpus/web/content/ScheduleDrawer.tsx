import { Button, Form, Select } from 'antd';
import { againstListed } from '#kernel/web/form/formRules.ts';
import { useState } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { TimeSelect } from '#kernel/web/kit/TimeSelect.tsx';
import { NumberInput } from '#kernel/web/kit/NumberInput.tsx';
import type { VariableRow } from '../../contract/conditionCalls.ts';
import { faultsOfRows } from '../../contract/conditionRows.ts';
import { sendTarget, targetsOf, touchKind, type SendTarget } from '../../contract/dictionaries.ts';
import { corpusErrors } from '../../contract/errors.ts';
import { querySceneList } from '../../contract/sceneCalls.ts';
import {
  addSchedule,
  delSchedule,
  modifySchedule,
  MOST_MATERIALS,
  queryScheduleList,
  type ScheduleRow,
} from '../../contract/scheduleCalls.ts';
import type { CreateTask } from '../../contract/tasks/createTask.ts';
import { useCorpusCommand } from '../useCorpusCommand.ts';
import { ConditionTable } from '../conditions/ConditionTable.tsx';
import { draftRowOf, rowInOf, type DraftRow } from '../conditions/draft.ts';
import { sentenceOfRows } from '../conditions/sentence.ts';
import { type AnyScene } from '../data.ts';
import { useVariables } from '../conditions/useVariables.ts';
import { MaterialPicker } from '../materials/lazyPicker.tsx';
import { CreateTaskInput } from './CreateTaskInput.tsx';
import { scheduleValue } from './cycleForm.ts';

interface ScheduleDrawerProps {
  scene: AnyScene;
  /** Null: a new one on `day`. */
  item: ScheduleRow | null;
  day: number;
  onClose(): void;
}

interface Values {
  dayOffset: number;
  sendTime: string;
  touchKind: ScheduleRow['touchKind'];
  target: SendTarget;
  materialIds: string[];
  createTask: CreateTask | null;
  itemConditions: readonly DraftRow[];
}

const labels = {
  dayOffset: '天数',
  sendTime: '发送时间',
  touchKind: '内容类型',
  target: '发送到',
  materialIds: '素材',
  itemConditions: '附加条件',
  createTask: '生成任务',
};
const kindOptions = touchKind.options.map(({ value, label }) => ({ value, label }));

/** Editor of one schedule item. */
export function ScheduleDrawer({ scene, item, day, onClose }: ScheduleDrawerProps) {
  const { scenePackageId } = scene;
  const [form] = Form.useForm<Values>();
  const [version, setVersion] = useState(item?.version ?? 0);
  const [faultsShown, setFaultsShown] = useState(false);
  const variables = useVariables();
  const refreshes = [queryScheduleList, querySceneList];
  const removal = useCorpusCommand({ call: delSchedule, success: '删除成功!', refreshes, onDone: onClose });
  const remove = async () => {
    if (item && (await confirmDelete(`第${item.dayOffset}天 ${item.sendTime} 的消息`, [`${item.materialIds.length}个素材不再发送`]))) {
      await removal.run(
        { id: item.id, version },
        { version, mine: { ...item }, labels: { dayOffset: labels.dayOffset, sendTime: labels.sendTime } },
      );
    }
  };
  const targets = targetsOf[scene.chatFlag];
  const initial: Partial<Values> = item
    ? { ...item, itemConditions: item.itemConditions.map(draftRowOf) }
    : { dayOffset: day, target: targets[0]!, materialIds: [], itemConditions: [], createTask: null };
  const valuesOf = ({ itemConditions, ...values }: Values) => ({ ...values, itemConditions: itemConditions.map(rowInOf) });
  const take = (current: Record<string, unknown>) => {
    const stored = current as ScheduleRow;
    form.setFieldsValue({ ...stored, itemConditions: stored.itemConditions.map(draftRowOf) });
    setVersion(stored.version);
  };
  const fields = (
    <>
      <div className="kq-form-pair">
        <Field
          of={addSchedule}
          name="dayOffset"
          extra="进入场景后的第几天发送，当天为0"
          rules={[{ required: true, type: 'integer', min: 0, max: 365, message: corpusErrors.DAY_OFFSET.text }]}
        >
          <NumberInput className="kq-wide" min={0} max={365} precision={0} />
        </Field>
        <Field of={addSchedule} name="sendTime" required>
          <TimeSelect />
        </Field>
      </div>
      <div className="kq-form-pair">
        <Field of={addSchedule} name="touchKind">
          <Select placeholder="请选择内容类型" options={kindOptions} />
        </Field>
        <Field of={addSchedule} name="target" extra="可选范围由场景标签决定">
          <Select options={targets.map((value) => ({ value, label: sendTarget.label(value) }))} />
        </Field>
      </div>
      <Form.Item name="materialIds" label={labels.materialIds} extra="按顺序逐条发送">
        <MaterialPicker max={MOST_MATERIALS} diseaseId={scene.diseaseId} />
      </Form.Item>
      <Form.Item
        name="itemConditions"
        label={labels.itemConditions}
        // the rows show their faults themselves
        help={null}
        validateStatus=""
        rules={[
          againstListed((rows: readonly DraftRow[] | undefined) => {
            const faults = faultsOfRows((rows ?? []).map(rowInOf), (id) => variables.byId.get(id));
            setFaultsShown(faults.length > 0);
            return faults[0]?.text ?? null;
          }),
        ]}
      >
        <ItemConditions faultsShown={faultsShown} />
      </Form.Item>
      <Field of={addSchedule} name="createTask" extra="到时间为该患者生成一条人工任务；没有素材时只生成任务">
        <CreateTaskInput />
      </Field>
    </>
  );
  const common = {
    open: true,
    width: 860,
    form,
    initial,
    labels,
    refreshes,
    onClose,
    footer: item && (
      <Button danger disabled={removal.busy} onClick={() => void remove()}>
        删除
      </Button>
    ),
  };
  return item ? (
    <FormDrawer<typeof modifySchedule, Values>
      {...common}
      title="编辑日程"
      call={modifySchedule}
      recordKey={item.id}
      toInput={(values) => ({ id: item.id, version, ...valuesOf(values) })}
      display={(name, value) => shownValue(name, value, variables.byId)}
      onReload={take}
      onKeep={(current) => setVersion(Number(current['version']))}
      success="修改成功!"
    >
      {fields}
    </FormDrawer>
  ) : (
    <FormDrawer<typeof addSchedule, Values>
      {...common}
      title="新增日程"
      call={addSchedule}
      toInput={(values) => ({ scenePackageId, ...valuesOf(values) })}
      success={SERVER_MESSAGE}
    >
      {fields}
    </FormDrawer>
  );
}

function shownValue(name: string, value: unknown, byId: ReadonlyMap<string, VariableRow>): unknown {
  if (name === 'itemConditions') return sentenceOfRows(value as readonly DraftRow[], byId) || '无';
  return scheduleValue(name, value);
}

interface ItemConditionsProps {
  value?: readonly DraftRow[];
  onChange?(rows: readonly DraftRow[]): void;
  faultsShown: boolean;
}

/** The condition table as a form field. */
function ItemConditions({ value = [], onChange, faultsShown }: ItemConditionsProps) {
  const variables = useVariables();
  const faults = faultsShown ? faultsOfRows(value.map(rowInOf), (id) => variables.byId.get(id)) : [];
  return (
    <ConditionTable
      rows={value}
      variables={variables.rows}
      faults={faults}
      readOnly={false}
      empty="没有附加条件：到时间即发送"
      onChange={(rows) => onChange?.(rows)}
    />
  );
}
