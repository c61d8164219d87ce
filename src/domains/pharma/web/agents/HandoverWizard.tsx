import { Alert, Button, Drawer, Form, Select } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { plusDays } from '#kernel/contract/time.ts';
import { UnboundField } from '#kernel/web/form/UnboundField.tsx';
import { toast, toastError } from '#kernel/web/feedback/toast.ts';
import { send } from '#kernel/web/http/client.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { useLeaving } from '#kernel/web/tabs/page.tsx';
import { queryAgentDetail, type AgentRow } from '../../contract/calls/agents.ts';
import {
  addAgentHandover,
  modifyAgentHandover,
  previewAgentHandover,
  queryAgentHandoverList,
  type HandoverPlan,
  type HandoverRow,
} from '../../contract/calls/handovers.ts';
import { handoverReasons } from '../../contract/dictionaries.ts';
import { pairKey } from '../../contract/rules/handoverPlan.ts';
import DayInput from '#kernel/web/form/DayInput.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { OptionSelect, OptionsSelect } from '../shared/OptionSelect.tsx';
import { agentRefreshes } from './refreshes.ts';
import { newKey } from '#kernel/web/http/request.ts';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';
import '../pharma.css';

const WizardSteps = lazy(async () => ({ default: (await import('./WizardSteps.tsx')).WizardSteps }));

const STEPS = ['原因与生效日期', '下属', '医生', '渠道', '预览'];
const tomorrow = () => plusDays(todayHere(), 1);

interface WizardProps {
  agent: Pick<AgentRow, 'id' | 'name' | 'companyId'>;
  /** A draft that is gone on with. */
  draft: HandoverRow | null;
  onClose(): void;
}

/** Hand-over in five steps; the plan is kept as a draft or submitted for approval. */
export function HandoverWizard({ agent, draft, onClose }: WizardProps) {
  const drafted = draft ? (draft.plan as HandoverPlan) : null;
  const [step, setStep] = useState(0);
  const [reason, setReason] = useState<(typeof handoverReasons.codes)[number]>(draft?.reason ?? 'LEAVE');
  const [effectiveOn, setEffectiveOn] = useState<string | null>(draft?.effectiveOn ?? null);
  const [remark, setRemark] = useState(draft?.remark ?? '');
  const [team, setTeam] = useState<string | null>(drafted?.teamToAgentId ?? null);
  const [doctors, setDoctors] = useState<ReadonlyMap<string, string>>(
    new Map((drafted?.doctors ?? []).map((row) => [pairKey(row), row.toAgentId])),
  );
  const [channels, setChannels] = useState<ReadonlyMap<string, string>>(
    new Map((drafted?.channels ?? []).map((row) => [row.channelId, row.toAgentId])),
  );
  const [rest, setRest] = useState<string | null>(drafted?.rest?.toAgentId ?? null);
  const [sharers, setSharers] = useState<string[]>([]);
  const [picked, setPicked] = useState<string | null>(null);
  const [hospital, setHospital] = useState<string | null>(null);
  const content = JSON.stringify([reason, effectiveOn, remark, team, [...doctors], [...channels], rest]);
  const [opened] = useState(content);
  // A draft that is only looked at loses nothing.
  const close = useLeaving(content !== opened, onClose);

  const detail = useData(queryAgentDetail, { agentId: agent.id }, { quiet: true });
  const { data } = detail;
  const open = (data?.doctors ?? []).filter((doctor) => doctor.until === null).map((doctor) => ({ ...doctor, key: pairKey(doctor) }));
  const direct = (data?.team ?? []).filter((member) => member.level === 1);
  const plan: HandoverPlan = {
    teamToAgentId: team,
    doctors: open.flatMap(({ key, doctorId, productLineId }) =>
      doctors.has(key) ? [{ doctorId, productLineId, toAgentId: doctors.get(key)! }] : [],
    ),
    channels: (data?.channels ?? []).flatMap(({ channelId }) =>
      channels.has(channelId) ? [{ channelId, toAgentId: channels.get(channelId)! }] : [],
    ),
    rest: rest === null ? null : { toAgentId: rest },
  };
  const preview = useData(previewAgentHandover, { fromAgentId: agent.id, plan }, { enabled: step === 4, quiet: true });
  const finished = { refreshes: [...agentRefreshes, queryAgentHandoverList], onSuccess: onClose } as const;
  const add = useCommand(addAgentHandover, finished);
  const modify = useCommand(modifyAgentHandover, finished);
  const names = new Map((preview.data?.successors ?? []).map((row) => [row.agentId, row.name]));

  const next = () => {
    if (step === 0 && !effectiveOn) return toastError('请选择生效日期');
    if (step === 0 && !remark.trim()) return toastError('请填写交接说明');
    setStep(step + 1);
  };
  const save = async (submit: boolean) => {
    if (!effectiveOn) return;
    const fields = { reason, effectiveOn, plan, remark: remark.trim(), submit };
    const options = { idempotencyKey: newKey() };
    const answer = draft
      ? await modify.run({ id: draft.id, version: draft.version, ...fields }, options)
      : await add.run({ fromAgentId: agent.id, ...fields }, options);
    if (answer) toast(submit ? '已提交审批' : '草稿已保存');
  };
  const assign = (keys: readonly string[], to: string | null) =>
    setDoctors((current) => {
      const copy = new Map(current);
      for (const key of keys)
        if (to === null) copy.delete(key);
        else copy.set(key, to);
      return copy;
    });
  const shareEvenly = async () => {
    const { plan: shared } = await send(previewAgentHandover, { fromAgentId: agent.id, plan, shareOver: sharers });
    setDoctors(new Map((shared as HandoverPlan).doctors.map((row) => [pairKey(row), row.toAgentId])));
    toast('已按医院平均分配');
  };
  const hospitals = [...new Set(open.map((doctor) => doctor.hospitalName))].map((value) => ({
    value,
    label: `${value}（${open.filter((doctor) => doctor.hospitalName === value).length}）`,
  }));
  const successor = (value: string | null, onChange: (value: string | null) => void) => (
    <OptionSelect kind="AGENT" companyId={agent.companyId} value={value} onChange={onChange} placeholder="选择接收人" />
  );
  const busy = add.busy || modify.busy;

  return (
    <Drawer
      open
      size={960}
      title={`离岗交接：${agent.name}`}
      onClose={close}
      mask={{ closable: false }}
      footer={
        <div className="kq-form-foot">
          <span />
          <Button onClick={close}>取消</Button>
          {step > 0 && <Button onClick={() => setStep(step - 1)}>上一步</Button>}
          {step < 4 && (
            <Button type="primary" onClick={next}>
              下一步
            </Button>
          )}
          {step === 4 && (
            <Button disabled={busy} onClick={() => void save(false)}>
              保存草稿
            </Button>
          )}
          {step === 4 && (
            <Button
              type="primary"
              disabled={busy || preview.data === undefined || preview.data.unassigned > 0}
              onClick={() => void save(true)}
            >
              提交审批
            </Button>
          )}
        </div>
      }
    >
      <Suspense fallback={<div className="ph-steps" style={{ height: 24 }} />}>
        <WizardSteps step={step} titles={STEPS} />
      </Suspense>
      {step === 0 && (
        <Form layout="vertical">
          <UnboundField label="交接原因" required>
            <Select value={reason} onChange={setReason} options={handoverReasons.options.map(({ value, label }) => ({ value, label }))} />
          </UnboundField>
          <UnboundField label="生效日期" required extra="须晚于今天">
            <DayInput value={effectiveOn} from={tomorrow()} onChange={setEffectiveOn} />
          </UnboundField>
          <UnboundField label="交接说明" required>
            <TextArea rows={3} most={500} showCount value={remark} onChange={(event) => setRemark(event.target.value)} />
          </UnboundField>
        </Form>
      )}
      {step > 0 && step < 4 && !data && <Waiting for={detail} />}
      {step === 1 && data && (
        <>
          <p>
            直接下属 {direct.length} 人{direct.length > 0 ? `：${direct.map((member) => member.name).join('、')}` : '，无需指定新的上级'}
          </p>
          {direct.length > 0 && (
            <Form layout="vertical">
              <UnboundField label="下属的新上级" required>
                {successor(team, setTeam)}
              </UnboundField>
            </Form>
          )}
        </>
      )}
      {step === 2 && data && (
        <>
          <div className="kq-row">
            <div style={{ flex: 1 }}>
              <OptionsSelect kind="AGENT" companyId={agent.companyId} value={sharers} onChange={setSharers} placeholder="选择多位接收人" />
            </div>
            <Button disabled={sharers.length === 0} onClick={() => void shareEvenly()}>
              平均分配
            </Button>
          </div>
          <div className="kq-row" style={{ margin: '8px 0' }}>
            <Select<string>
              style={{ width: 260 }}
              allowClear
              value={hospital}
              placeholder="按医院分配"
              options={hospitals}
              onChange={(value) => setHospital(value ?? null)}
            />
            <div style={{ flex: 1 }}>{successor(picked, setPicked)}</div>
            <Button
              disabled={!picked}
              onClick={() =>
                assign(
                  open.filter((doctor) => hospital === null || doctor.hospitalName === hospital).map((doctor) => doctor.key),
                  picked,
                )
              }
            >
              {hospital ? '分配该医院' : '分配全部'}
            </Button>
          </div>
          <DataTable
            rows={open}
            rowKey="key"
            height={420}
            empty="该代表没有绑定的医生"
            columns={[
              { key: 'doctorName', title: '医生', width: 100 },
              { key: 'hospitalName', title: '医院', width: 200 },
              { key: 'productLineName', title: '产品线', width: 120 },
              {
                key: 'to',
                title: '接收人',
                kind: 'custom',
                width: 260,
                render: (doctor) => successor(doctors.get(doctor.key) ?? null, (to) => assign([doctor.key], to)),
              },
            ]}
          />
          <Form layout="vertical">
            <UnboundField label="其余医生和渠道的接收人" extra="未单独指定的都交给此人">
              {successor(rest, setRest)}
            </UnboundField>
          </Form>
        </>
      )}
      {step === 3 && data && (
        <DataTable
          rows={data.channels}
          rowKey="channelId"
          height="auto"
          empty="该代表没有渠道，无需交接"
          columns={[
            { key: 'channelNo', title: '渠道编号', width: 150 },
            { key: 'name', title: '渠道', width: 200 },
            { key: 'scans30', title: '30天扫码', kind: 'number', width: 90 },
            {
              key: 'to',
              title: '接收人',
              kind: 'custom',
              width: 260,
              render: (channel) =>
                successor(channels.get(channel.channelId) ?? null, (to) =>
                  setChannels((current) => {
                    const copy = new Map(current);
                    if (to === null) copy.delete(channel.channelId);
                    else copy.set(channel.channelId, to);
                    return copy;
                  }),
                ),
            },
          ]}
        />
      )}
      {step === 4 && !preview.data && <Waiting for={preview} />}
      {step === 4 && preview.data && (
        <>
          {preview.data.unassigned > 0 && (
            <Alert
              type="warning"
              showIcon
              className="kq-form-alert"
              title={`请为全部医生和渠道指定接收人（剩余${preview.data.unassigned}）`}
            />
          )}
          <p>
            {handoverReasons.label(reason)}，{effectiveOn} 生效；下属 {preview.data.teamSize} 人
            {team ? `交给 ${names.get(team) ?? '新上级'}` : ''}
          </p>
          <DataTable
            rows={preview.data.successors}
            rowKey="agentId"
            height="auto"
            empty="没有需要交接的内容"
            columns={[
              { key: 'name', title: '接收人', width: 140, value: (row) => `${row.name}（${row.agentNo}）` },
              { key: 'doctors', title: '医生（现有 → 交接后）', width: 180, value: (row) => `${row.doctorsBefore} → ${row.doctorsAfter}` },
              {
                key: 'channels',
                title: '渠道（现有 → 交接后）',
                width: 180,
                value: (row) => `${row.channelsBefore} → ${row.channelsAfter}`,
              },
              { key: 'team', title: '下属（现有 → 交接后）', width: 180, value: (row) => `${row.teamBefore} → ${row.teamAfter}` },
            ]}
          />
        </>
      )}
    </Drawer>
  );
}
