import { Checkbox, Form, Input } from 'antd';
import { againstRecord } from '#kernel/web/form/formRules.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { addContactPerson, modifyContactPerson, type ContactPerson } from '../../../contract/calls/sufferer.ts';
import type { contactRelations } from '../../../contract/dictionaries.ts';
import { FileIds } from '../../shared/FileIds.tsx';
import { refreshes } from '../../shared/refreshes.ts';
import { idNoFault, sent } from './personValues.ts';

interface Values {
  name: string;
  relation: (typeof contactRelations.codes)[number];
  mobile?: string;
  idNo?: string;
  isGuardian?: boolean;
  proofFileId?: string[];
}

/** 新增/编辑联系人. */
export function ContactForm({ patientId, row, onClose }: { patientId: string; row?: ContactPerson; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const guardian = Form.useWatch('isGuardian', form);
  const shared = {
    open: true,
    form,
    success: SERVER_MESSAGE,
    refreshes: refreshes.person,
    onClose,
    initial: row
      ? { name: row.name, relation: row.relation, isGuardian: row.isGuardian, proofFileId: row.proofFileId ? [row.proofFileId] : [] }
      : { relation: 'SPOUSE' as const },
  };
  const common = (values: Values) => ({
    name: values.name.trim(),
    relation: values.relation,
    isGuardian: values.isGuardian ?? false,
    proofFileId: values.proofFileId?.at(-1) ?? null,
  });
  const fields = (
    <>
      <div className="pa-two">
        <Field of={addContactPerson} name="name" label="姓名" />
        <Field of={addContactPerson} name="relation" />
        <Field of={row ? modifyContactPerson : addContactPerson} name="mobile">
          <Input placeholder={row ? `${row.mobileMasked}，不修改请留空` : '请输入手机号'} />
        </Field>
        <Field of={addContactPerson} name="idNo" label="身份证号" rules={[againstRecord((typed?: string) => idNoFault('ID', typed))]}>
          <Input placeholder={row?.idNoMasked ? `${row.idNoMasked}，不修改请留空` : '选填'} />
        </Field>
      </div>
      <Field of={addContactPerson} name="isGuardian" label={false}>
        <Checkbox>是监护人</Checkbox>
      </Field>
      {guardian && (
        <Field of={addContactPerson} name="proofFileId" label="监护证明" extra="成年患者的监护人须上传证明">
          <FileIds max={2} />
        </Field>
      )}
    </>
  );
  return row ? (
    <FormDrawer<typeof modifyContactPerson, Values>
      {...shared}
      title="编辑联系人"
      call={modifyContactPerson}
      recordKey={row.id}
      toInput={(values) => ({
        id: row.id,
        version: row.version,
        ...common(values),
        ...(sent(values.mobile) && { mobile: sent(values.mobile)! }),
        ...(sent(values.idNo) && { idNo: sent(values.idNo) }),
      })}
    >
      {fields}
    </FormDrawer>
  ) : (
    <FormDrawer<typeof addContactPerson, Values>
      {...shared}
      title="新增联系人"
      call={addContactPerson}
      toInput={(values) => ({ patientId, ...common(values), mobile: values.mobile?.trim() ?? '', idNo: sent(values.idNo) })}
    >
      {fields}
    </FormDrawer>
  );
}
