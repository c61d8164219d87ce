import { Form, Input, Select } from 'antd';
import type { InputOf } from '../../../../kernel/contract/call.ts';
import { displayBy } from '../../../../kernel/web/form/conflictRows.ts';
import { FormDialog, FormDrawer } from '../../../../kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '../../../../kernel/web/http/queries.ts';
import { HospitalsPicker, RegionsPicker } from '../../../../kernel/web/kit/pickers.tsx';
import { addAgent, addAgentLines, changeAgentParent, modifyAgent, type AgentRow } from '../../contract/calls/agents.ts';
import { agentRanks } from '../../contract/dictionaries.ts';
import { PHARMA_PAPER } from '../../contract/purposes.ts';
import { agentLabels } from '../../contract/labels.ts';
import { DayField } from '../shared/fields.tsx';
import { FileField } from '../shared/files.tsx';
import { OptionSelect, OptionsSelect } from '../shared/OptionSelect.tsx';
import { agentRefreshes } from './refreshes.ts';
import '../pharma.css';

type Values = InputOf<typeof addAgent>;
const MOBILE = /^1[3-9]\d{9}$/;

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
      <Form.Item label="药企" name="companyId" rules={[{ required: true, message: '请选择药企' }]}>
        <OptionSelect kind="COMPANY" disabled={agent !== null} />
      </Form.Item>
      <Form.Item label={agentLabels.name} name="name" rules={[{ required: true, whitespace: true, message: '请输入姓名' }]}>
        <Input maxLength={30} />
      </Form.Item>
      <Form.Item
        label={agentLabels.mobile}
        name="mobile"
        rules={[
          { required: agent === null, message: '请输入手机号' },
          { pattern: MOBILE, message: '请输入11位手机号码' },
        ]}
      >
        <Input maxLength={11} placeholder={agent?.mobile ? `${agent.mobile}（不修改请留空）` : '请输入'} />
      </Form.Item>
      <Form.Item label={agentLabels.idNo} name="idNo" rules={[{ pattern: /^\d{17}[\dXx]$/, message: '请输入18位身份证号码' }]}>
        <Input maxLength={18} placeholder={agent?.idNo ? `${agent.idNo}（不修改请留空）` : '选填'} />
      </Form.Item>
      <Form.Item label={agentLabels.rank} name="rank" rules={[{ required: true, message: '请选择职级' }]}>
        <Select placeholder="请选择" options={agentRanks.options.map(({ value, label }) => ({ value, label }))} />
      </Form.Item>
      {agent === null && (
        <Form.Item label="上级" name="parentId" extra="须为同一药企且职级更高">
          <OptionSelect kind="AGENT" companyId={companyId as string | undefined} />
        </Form.Item>
      )}
      <Form.Item label={agentLabels.companyAgentCode} name="companyAgentCode">
        <Input maxLength={40} />
      </Form.Item>
      <Form.Item label={agentLabels.email} name="email" rules={[{ type: 'email', message: '请输入正确的邮箱' }]}>
        <Input maxLength={100} />
      </Form.Item>
      <Form.Item
        label="产品线"
        name="lineIds"
        className="ph-full"
        rules={agent && agent.state !== 'PENDING' ? [{ required: true, message: '请至少选择一条产品线' }] : []}
      >
        <OptionsSelect kind="LINE" companyId={companyId as string | undefined} />
      </Form.Item>
      <Form.Item label="区域" name="adcodes" className="ph-full">
        <RegionsPicker />
      </Form.Item>
      <Form.Item label="服务医院" name="hospitalIds" className="ph-full">
        <HospitalsPicker />
      </Form.Item>
      <Form.Item label={agentLabels.filingNo} name="filingNo">
        <Input maxLength={60} />
      </Form.Item>
      <Form.Item label={agentLabels.filingValidTo} name="filingValidTo">
        <DayField />
      </Form.Item>
      <Form.Item label={agentLabels.joinedOn} name="joinedOn">
        <DayField />
      </Form.Item>
      <Form.Item label="备案文件" name="filingFileId" className="ph-full">
        <FileField purpose={PHARMA_PAPER} ownerType="pharma.agent" ownerId={agent?.id} />
      </Form.Item>
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
      <Form.Item label="新的上级" name="parentId" extra="清空则成为药企的最高级">
        <OptionSelect kind="AGENT" companyId={agent.companyId} />
      </Form.Item>
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
      <Form.Item label="产品线" name="lineIds" rules={[{ required: true, message: '请选择产品线' }]}>
        <OptionsSelect kind="LINE" companyId={agent.companyId} />
      </Form.Item>
    </FormDialog>
  );
}
