import { Form, Input, Select, Steps } from 'antd';
import { useRef } from 'react';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { dayOf, startOfDay, timeSlots } from '#kernel/contract/time.ts';
import DayInput from '#kernel/web/form/DayInput.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { FormRecord } from '#kernel/web/form/FormRecord.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { addCampaign, modifyCampaign, MOST_MATERIALS, queryCampaignDetail } from '../../contract/campaigns/calls.ts';
import { faultsOfRows } from '../../contract/conditionRows.ts';
import { sendTarget, touchKind, type SendTarget, type TouchKind } from '../../contract/dictionaries.ts';
import type { FrozenRow } from '../../contract/engine/snapshot.ts';
import { ConditionTable } from '../conditions/ConditionTable.tsx';
import { rowInOf, type DraftRow } from '../conditions/draft.ts';
import { useMenuDiseases } from '../data.ts';
import { useVariables } from '../conditions/useVariables.ts';
import { MaterialPicker } from '../materials/lazyPicker.tsx';
import { campaignReads } from './useCampaignActions.ts';
import './campaigns.css';

interface Values {
  name: string;
  diseaseIds: string[];
  rows: readonly DraftRow[];
  includeNos: string;
  excludeNos: string;
  target: SendTarget;
  touchKind: TouchKind;
  materialIds: string[];
  day: string;
  slot: string;
}

const numbersIn = (text: string | undefined): string[] => [...new Set((text ?? '').split(/[\s,，;；、]+/).filter(Boolean))];
const draftOf = ({ variableCode: _, groupNo, ...row }: FrozenRow): DraftRow => ({
  ...row,
  groupNo: ([1, 2, 3, 4, 5] as const).find((no) => no === groupNo) ?? 1,
});
const inputOf = ({ rows, includeNos, excludeNos, day, slot, ...values }: Values) => ({
  ...values,
  rows: rows.map(rowInOf),
  includePatientNos: numbersIn(includeNos),
  excludePatientNos: numbersIn(excludeNos),
  sendAt: startOfDay(day, slot),
});

/** Conditions as a form's field. */
function Conditions({ value = [], onChange }: { value?: readonly DraftRow[]; onChange?(rows: readonly DraftRow[]): void }) {
  const variables = useVariables();
  const faults = faultsOfRows(value.map(rowInOf), (id) => variables.byId.get(id)).filter(
    ({ index }) => value[index]?.conditionValue !== '',
  );
  return (
    <ConditionTable
      rows={value}
      variables={variables.rows}
      faults={faults}
      readOnly={false}
      empty="不限条件：所选病种的全部患者"
      onChange={(rows) => onChange?.(rows)}
    />
  );
}

interface CampaignFormProps {
  /** Null: a new one. */
  id: string | null;
  onClose(): void;
  onSaved(id: string): void;
}

/** Drawer 新增/编辑: to whom, what, when. Who is in the audience is looked at once it is saved. */
export function CampaignForm({ id, onClose, onSaved }: CampaignFormProps) {
  if (id === null) return <CampaignEditor detail={null} onClose={onClose} onSaved={onSaved} />;
  return (
    <FormRecord call={queryCampaignDetail} input={{ id }} title="编辑群发任务" width={960} onClose={onClose}>
      {(detail) => <CampaignEditor detail={detail} onClose={onClose} onSaved={onSaved} />}
    </FormRecord>
  );
}

function CampaignEditor({
  detail,
  onClose,
  onSaved,
}: Omit<CampaignFormProps, 'id'> & { detail: AnswerOf<typeof queryCampaignDetail> | null }) {
  const [form] = Form.useForm<Values>();
  const diseases = useMenuDiseases();
  const sections = [useRef<HTMLElement>(null), useRef<HTMLElement>(null), useRef<HTMLElement>(null)] as const;
  const body = (
    <>
      <Steps
        size="small"
        className="kq-campaign-steps"
        current={-1}
        onChange={(at) => sections[at]?.current?.scrollIntoView({ behavior: 'smooth' })}
        items={['人群', '内容', '时间与确认'].map((title) => ({ title }))}
      />
      <section ref={sections[0]} aria-label="人群">
        <h3>人群</h3>
        <Field of={addCampaign} name="name" />
        <Field of={addCampaign} name="diseaseIds">
          <Select
            mode="multiple"
            allowClear
            placeholder="请选择病种"
            optionFilterProp="label"
            options={(diseases.data?.rows ?? []).map(({ id, diseaseName }) => ({ value: id, label: diseaseName }))}
          />
        </Field>
        <Form.Item name="rows" label="条件">
          <Conditions />
        </Form.Item>
        <div className="kq-campaign-two">
          <Form.Item name="includeNos" label="指定患者" extra="患者编号，每行一个；不受病种和条件限制">
            <Input.TextArea rows={3} placeholder="请输入患者编号" />
          </Form.Item>
          <Form.Item name="excludeNos" label="排除患者" extra="患者编号，每行一个">
            <Input.TextArea rows={3} placeholder="请输入患者编号" />
          </Form.Item>
        </div>
      </section>
      <section ref={sections[1]} aria-label="内容">
        <h3>内容</h3>
        <Field of={addCampaign} name="materialIds" extra={`按顺序发送，最多${MOST_MATERIALS}条`}>
          <MaterialPicker max={MOST_MATERIALS} diseaseId={null} />
        </Field>
        <div className="kq-campaign-two">
          <Field of={addCampaign} name="touchKind" />
          <Field of={addCampaign} name="target" />
        </div>
      </section>
      <section ref={sections[2]} aria-label="时间与确认">
        <h3>时间与确认</h3>
        <div className="kq-campaign-two">
          <Form.Item name="day" label="发送日期" rules={[{ required: true, message: '请选择发送日期' }]}>
            <DayInput />
          </Form.Item>
          <Form.Item name="slot" label="发送时间" rules={[{ required: true, message: '请选择发送时间' }]}>
            <Select placeholder="请选择发送时间" options={timeSlots.map((value) => ({ value, label: value }))} />
          </Form.Item>
        </div>
        <p className="kq-muted">
          保存后可用文件导入人群（患者编号），再预览人群，按未授权、无会话、停发、频次已满查看不会收到的患者，再提交审核。
        </p>
      </section>
    </>
  );
  const shared = { open: true, width: 960, form, refreshes: campaignReads, success: SERVER_MESSAGE, onClose } as const;
  if (!detail)
    return (
      <FormDrawer<typeof addCampaign, Values>
        {...shared}
        title="新增群发任务"
        call={addCampaign}
        initial={{
          diseaseIds: [],
          rows: [],
          target: sendTarget.codes[0],
          touchKind: touchKind.codes[0],
          materialIds: [],
        }}
        toInput={inputOf}
        onDone={({ data }) => onSaved(data.id)}
      >
        {body}
      </FormDrawer>
    );
  const { campaign } = detail;
  return (
    <FormDrawer<typeof modifyCampaign, Values>
      {...shared}
      title={`编辑群发任务：${campaign.name}`}
      call={modifyCampaign}
      recordKey={campaign.id}
      initial={{
        name: campaign.name,
        diseaseIds: detail.diseaseIds,
        rows: detail.rows.map(draftOf),
        includeNos: detail.includePatientNos.join('\n'),
        excludeNos: detail.excludePatientNos.join('\n'),
        target: campaign.target,
        touchKind: campaign.touchKind,
        materialIds: detail.materialIds,
        day: dayOf(campaign.sendAt),
        slot: timeSlots.find((slot) => startOfDay(dayOf(campaign.sendAt), slot) === campaign.sendAt),
      }}
      toInput={(values) => ({ id: campaign.id, version: campaign.version, ...inputOf(values) })}
      onDone={({ data }) => onSaved(data.id)}
    >
      {body}
    </FormDrawer>
  );
}
