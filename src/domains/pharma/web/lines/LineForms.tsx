import { Form, Input } from 'antd';
import type { InputOf } from '../../../../kernel/contract/call.ts';
import { FormDialog, FormDrawer } from '../../../../kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '../../../../kernel/web/http/queries.ts';
import {
  addProductLine,
  modifyProductLine,
  queryProductLineDetail,
  queryProductLineList,
  renewProductLine,
  type LineRow,
} from '../../contract/calls/lines.ts';
import { PHARMA_PAPER } from '../../contract/purposes.ts';
import { lineLabels } from '../../contract/labels.ts';
import { DayField } from '../shared/fields.tsx';
import { FilesField } from '../shared/files.tsx';
import { OptionSelect, OptionsSelect } from '../shared/OptionSelect.tsx';
import { OwnerSelect } from './OwnerSelect.tsx';
import '../pharma.css';

type Values = InputOf<typeof addProductLine>;
const refreshes = [queryProductLineList, queryProductLineDetail];
const labels = { ...lineLabels, diseaseIds: lineLabels.diseases, ownerUserId: lineLabels.ownerName };
const valuesOf = (line: LineRow): Partial<Values> => ({
  companyId: line.companyId,
  name: line.name,
  therapyArea: line.therapyArea,
  diseaseIds: line.diseases.map((disease) => disease.diseaseId),
  startDate: line.startDate,
  endDate: line.endDate,
  ownerUserId: line.ownerUserId,
  agreementFileIds: line.agreementFileIds,
  remark: line.remark,
});

/** Drawer 新增/编辑产品线. */
export function LineForm({ line, onClose }: { line: LineRow | null; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const startDate = Form.useWatch('startDate', form);
  const fields = (
    <div className="ph-two">
      <Form.Item label="药企" name="companyId" className="ph-full" rules={[{ required: true, message: '请选择药企' }]}>
        <OptionSelect kind="COMPANY" disabled={line !== null} />
      </Form.Item>
      <Form.Item label={lineLabels.name} name="name" rules={[{ required: true, whitespace: true, message: '请输入产品线名称' }]}>
        <Input maxLength={50} />
      </Form.Item>
      <Form.Item
        label={lineLabels.therapyArea}
        name="therapyArea"
        rules={[{ required: true, whitespace: true, message: '请输入治疗领域' }]}
      >
        <Input maxLength={50} />
      </Form.Item>
      <Form.Item label={lineLabels.startDate} name="startDate" rules={[{ required: true, message: '请选择合作开始日期' }]}>
        <DayField />
      </Form.Item>
      <Form.Item
        label={lineLabels.endDate}
        name="endDate"
        rules={[{ required: true, message: '请选择合作结束日期' }]}
        extra={line && line.state !== 'DRAFT' ? '合作期请通过续约延长' : undefined}
      >
        <DayField least={startDate} disabled={line !== null && line.state !== 'DRAFT'} />
      </Form.Item>
      <Form.Item label="病种" name="diseaseIds" className="ph-full">
        <OptionsSelect kind="DISEASE" />
      </Form.Item>
      <Form.Item label="商务负责人" name="ownerUserId">
        <OwnerSelect {...(line?.ownerUserId && line.ownerName && { known: { value: line.ownerUserId, label: line.ownerName } })} />
      </Form.Item>
      <Form.Item label={lineLabels.agreementFileIds} name="agreementFileIds" className="ph-full">
        <FilesField purpose={PHARMA_PAPER} max={10} ownerType="pharma.productLine" ownerId={line?.id} />
      </Form.Item>
      <Form.Item label={lineLabels.remark} name="remark" className="ph-full">
        <Input.TextArea rows={3} maxLength={500} showCount />
      </Form.Item>
    </div>
  );
  const shared = { open: true, onClose, refreshes, form, labels } as const;
  if (!line)
    return (
      <FormDrawer<typeof addProductLine, Values>
        {...shared}
        title="新增产品线"
        call={addProductLine}
        initial={{ diseaseIds: [], agreementFileIds: [] }}
        success={SERVER_MESSAGE}
      >
        {fields}
      </FormDrawer>
    );
  return (
    <FormDrawer<typeof modifyProductLine, Values>
      {...shared}
      title={`编辑产品线：${line.name}`}
      call={modifyProductLine}
      recordKey={line.id}
      toInput={({ companyId: _, ...values }) => ({ ...values, id: line.id, version: line.version })}
      initial={valuesOf(line)}
      success="修改成功!"
      valuesOf={(current) => valuesOf(current as LineRow)}
    >
      {fields}
    </FormDrawer>
  );
}

type Renewal = Pick<InputOf<typeof renewProductLine>, 'endDate' | 'agreementFileIds'>;

/** Dialog 续约. */
export function RenewForm({ line, onClose }: { line: LineRow; onClose(): void }) {
  return (
    <FormDialog<typeof renewProductLine, Renewal>
      open
      title={`续约：${line.name}`}
      width={560}
      call={renewProductLine}
      toInput={(values) => ({ ...values, id: line.id, version: line.version })}
      refreshes={refreshes}
      success={SERVER_MESSAGE}
      onClose={onClose}
      initial={{ agreementFileIds: [] }}
    >
      <p className="kq-muted">
        原合作期：{line.startDate} 至 {line.endDate}
      </p>
      <Form.Item
        label="新的合作结束日期"
        name="endDate"
        rules={[
          { required: true, message: '请选择日期' },
          {
            validator: async (_rule, day?: string) => {
              if (day && day <= line.endDate) throw new Error('续约结束日期须晚于原结束日期');
            },
          },
        ]}
      >
        <DayField least={line.endDate} />
      </Form.Item>
      <Form.Item label="续约协议" name="agreementFileIds" rules={[{ required: true, type: 'array', min: 1, message: '请上传续约协议' }]}>
        <FilesField purpose={PHARMA_PAPER} max={5} ownerType="pharma.productLine" />
      </Form.Item>
    </FormDialog>
  );
}
