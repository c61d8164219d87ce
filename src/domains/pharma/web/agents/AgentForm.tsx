import { Form, Input } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import type { InputOf } from '#kernel/contract/call.ts';
import { displayBy } from '#kernel/web/form/conflictRows.ts';
import { FormDialog, FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { HospitalsPicker, RegionsPicker } from '#kernel/web/kit/pickers.tsx';
import { addAgent, addAgentLines, changeAgentParent, modifyAgent, type AgentRow } from '../../contract/calls/agents.ts';
import { agentRanks } from '../../contract/dictionaries.ts';
import { PHARMA_PAPER } from '../../contract/purposes.ts';
import { pharmaErrors } from '../../contract/errors.ts';
import { agentLabels } from '../../contract/labels.ts';
import DayInput from '#kernel/web/form/DayInput.tsx';
import { FileField } from '../shared/files.tsx';
import { OptionSelect, OptionsSelect } from '../shared/OptionSelect.tsx';
import { agentRefreshes } from './refreshes.ts';
import '../pharma.css';

type Values = InputOf<typeof addAgent>;

/** Secrets are sent only when something was typed. */
const typed = ({ mobile, idNo, adcodes, hospitalIds, ...values }: Values) => ({
  ...values,
  adcodes: adcodes ?? [],
  hospitalIds: hospitalIds ?? [],
  ...(mobile ? { mobile } : {}),
  ...(idNo ? { idNo } : {}),
});

const labels = { ...agentLabels, lineIds: agentLabels.lines, adcodes: agentLabels.regionNames, filingFileId: '备案文件' };
const display = displayBy({ rank: agentRanks });
const valuesOf = (agent: AgentRow): Partial<Values> => ({
  companyId: agent.companyId,
  name: agent.name,
  rank: agent.rank,
  companyAgentCode: agent.companyAgentCode,
  email: agent.email,
  lineIds: agent.lines.map((line) => line.lineId),
  adcodes: agent.adcodes,
  hospitalIds: agent.hospitalIds,
  filingNo: agent.filingNo,
  filingValidTo: agent.filingValidTo,
  joinedOn: agent.joinedOn,
  filingFileId: agent.filingFileId,
});

/** Drawer 新增/编辑医药代表; with `previous` somebody who left comes back. */
export function AgentForm({ agent, onClose }: { agent: AgentRow | null; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const companyId = Form.useWatch('companyId', form) ?? agent?.companyId;
  const fields = (
    <div className="ph-two">
      <Field of={addAgent} name="companyId">
        <OptionSelect kind="COMPANY" disabled={agent !== null} />
      </Field>
      <Field of={addAgent} name="name" />
      <Field of={agent ? modifyAgent : addAgent} name="mobile">
        <Input placeholder={agent?.mobile ? `${agent.mobile}（不修改请留空）` : '请输入'} />
      </Field>
      <Field of={addAgent} name="idNo">
        <Input placeholder={agent?.idNo ? `${agent.idNo}（不修改请留空）` : '选填'} />
      </Field>
      <Field of={addAgent} name="rank" />
      {agent === null && (
        <Field of={addAgent} name="parentId" extra="须为同一药企且职级更高">
          <OptionSelect kind="AGENT" companyId={companyId as string | undefined} />
        </Field>
      )}
      <Field of={addAgent} name="companyAgentCode" />
      <Field of={addAgent} name="email" />
      <Field
        of={addAgent}
        name="lineIds"
        className="ph-full"
        rules={agent && agent.state !== 'PENDING' ? [{ required: true, message: pharmaErrors.AGENT_NO_LINE.text }] : []}
      >
        <OptionsSelect kind="LINE" companyId={companyId as string | undefined} />
      </Field>
      <Field of={addAgent} name="adcodes" className="ph-full">
        <RegionsPicker />
      </Field>
      <Field of={addAgent} name="hospitalIds" className="ph-full">
        <HospitalsPicker />
      </Field>
      <Field of={addAgent} name="filingNo" />
      <Field of={addAgent} name="filingValidTo">
        <DayInput />
      </Field>
      <Field of={addAgent} name="joinedOn">
        <DayInput />
      </Field>
      <Field of={addAgent} name="filingFileId" className="ph-full">
        <FileField purpose={PHARMA_PAPER} ownerType="pharma.agent" ownerId={agent?.id} />
      </Field>
    </div>
  );
  const shared = { open: true, onClose, refreshes: agentRefreshes, form, labels } as const;
  if (!agent)
    return (
      <FormDrawer<typeof addAgent, Values>
        {...shared}
        title="新增医药代表"
        call={addAgent}
        initial={{ lineIds: [], adcodes: [] }}
        toInput={(values) => ({ ...values, adcodes: values.adcodes ?? [], hospitalIds: values.hospitalIds ?? [] })}
        success={SERVER_MESSAGE}
      >
        {fields}
      </FormDrawer>
    );
  return (
    <FormDrawer<typeof modifyAgent, Values>
      {...shared}
      title={`编辑代表：${agent.name}`}
      call={modifyAgent}
      recordKey={agent.id}
      toInput={(values) => {
        const { companyId: _, parentId: _parent, previousAgentId: _previous, ...rest } = typed(values);
        return { ...rest, avatarFileId: agent.avatarFileId, userId: agent.userId, id: agent.id, version: agent.version };
      }}
      initial={valuesOf(agent)}
      success="修改成功!"
      display={display}
      valuesOf={(current) => valuesOf(current as AgentRow)}
    >
      {fields}
    </FormDrawer>
  );
}

/** Dialog 调整上级 of one person with everybody below. */
export function ParentForm({
  agent,
  onClose,
}: {
  agent: Pick<AgentRow, 'id' | 'name' | 'companyId' | 'version' | 'teamSize' | 'parentId'>;
  onClose(): void;
}) {
  return (
    <FormDialog<typeof changeAgentParent, { parentId: string | null }>
      open
      title={`调整上级：${agent.name}`}
      call={changeAgentParent}
      toInput={({ parentId }) => ({ id: agent.id, version: agent.version, parentId: parentId ?? null })}
      initial={{ parentId: agent.parentId }}
      refreshes={agentRefreshes}
      success={SERVER_MESSAGE}
      onClose={onClose}
    >
      <p className="kq-muted">{agent.teamSize > 0 ? `其下属 ${agent.teamSize} 人将一并移动。` : '该代表没有下属。'}</p>
      <Field of={changeAgentParent} name="parentId" label="新的上级" extra="清空则成为药企的最高级">
        <OptionSelect kind="AGENT" companyId={agent.companyId} />
      </Field>
    </FormDialog>
  );
}

/** Dialog 加产品线 of one person. */
export function LinesForm({ agent, onClose }: { agent: AgentRow; onClose(): void }) {
  return (
    <FormDialog<typeof addAgentLines, { lineIds: string[] }>
      open
      title={`增加产品线：${agent.name}`}
      call={addAgentLines}
      toInput={({ lineIds }) => ({ id: agent.id, version: agent.version, lineIds })}
      refreshes={agentRefreshes}
      success="修改成功!"
      onClose={onClose}
    >
      <Field of={addAgentLines} name="lineIds">
        <OptionsSelect kind="LINE" companyId={agent.companyId} />
      </Field>
    </FormDialog>
  );
}
