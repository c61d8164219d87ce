import { Form, Input, Select } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import type { InputOf } from '#kernel/contract/call.ts';
import { displayBy } from '#kernel/web/form/conflictRows.ts';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import {
  addPharmaCompany,
  modifyPharmaCompany,
  queryPharmaCompanyDetail,
  queryPharmaCompanyList,
  type CompanyRow,
} from '../../contract/calls/companies.ts';
import { companyRoles } from '../../contract/dictionaries.ts';
import { PHARMA_PAPER } from '../../contract/purposes.ts';
import { countries, countryName } from '../../contract/countries.ts';
import { companyLabels } from '../../contract/labels.ts';
import DayInput from '#kernel/web/form/DayInput.tsx';
import { FileField, FilesField } from '../shared/files.tsx';
import '../pharma.css';
import { pvContactInput } from '../../contract/calls/companies.ts';

type Values = InputOf<typeof addPharmaCompany>;

const countryOptions = countries.map(([value, label]) => ({ value, label }));
const display = displayBy({ roles: companyRoles, country: { label: countryName } });
const valuesOf = ({ contactMobile: _, ...values }: Record<string, unknown>) => values as Partial<Values>;

/** Fields that an empty input clears; the mobile is sent only when something was typed. */
const toValues = ({ contactMobile, ...values }: Values): Values => ({ ...values, ...(contactMobile ? { contactMobile } : {}) });

/** Drawer 新增/编辑药企. */
export function CompanyForm({ company, onClose }: { company: CompanyRow | null; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const country = Form.useWatch('country', form) ?? company?.country ?? 'CN';
  const shared = {
    open: true,
    onClose,
    refreshes: [queryPharmaCompanyList, queryPharmaCompanyDetail],
    form,
    labels: companyLabels,
  } as const;
  const fields = (
    <div className="ph-two">
      <Field of={addPharmaCompany} name="name" className="ph-full" />
      <Field of={addPharmaCompany} name="shortName" />
      <Field of={addPharmaCompany} name="roles">
        <Select placeholder="请选择" mode="multiple" options={companyRoles.options.map(({ value, label }) => ({ value, label }))} />
      </Field>
      <Field of={addPharmaCompany} name="country" required>
        <Select showSearch={{ optionFilterProp: 'label' }} options={countryOptions} placeholder="请选择" />
      </Field>
      <Field of={addPharmaCompany} name="uscc" required={country === 'CN'} />
      <Field of={addPharmaCompany} name="contactName" />
      <Field of={addPharmaCompany} name="contactMobile">
        <Input placeholder={company?.contactMobile ? `${company.contactMobile}（不修改请留空）` : '请输入'} />
      </Field>
      <Field of={addPharmaCompany} name="contactEmail" />
      <Field of={addPharmaCompany} name="licenceValidTo">
        <DayInput />
      </Field>
      <Field of={addPharmaCompany} name="address" className="ph-full" />
      <Field of={pvContactInput} name="name" within={['pvContact']} />
      <Field of={pvContactInput} name="email" within={['pvContact']} label="药物警戒邮箱" extra="不良反应报告转报到这个邮箱" />
      <Field of={pvContactInput} name="phone" within={['pvContact']} label="药物警戒电话" />
      <Field of={addPharmaCompany} name="logoFileId" className="ph-full">
        <FileField purpose={PHARMA_PAPER} ownerType="pharma.company" ownerId={company?.id} hint="jpg、png，在列表中显示" />
      </Field>
      <Field of={addPharmaCompany} name="licenceFileIds" className="ph-full">
        <FilesField purpose={PHARMA_PAPER} max={10} ownerType="pharma.company" ownerId={company?.id} hint="jpg、png、pdf，最多10个" />
      </Field>
    </div>
  );
  if (!company)
    return (
      <FormDrawer<typeof addPharmaCompany, Values>
        {...shared}
        title="新增药企"
        call={addPharmaCompany}
        toInput={toValues}
        initial={{ country: 'CN', licenceFileIds: [] }}
        success={SERVER_MESSAGE}
      >
        {fields}
      </FormDrawer>
    );
  return (
    <FormDrawer<typeof modifyPharmaCompany, Values>
      {...shared}
      title={`编辑药企：${company.name}`}
      call={modifyPharmaCompany}
      recordKey={company.id}
      toInput={(values) => ({ ...toValues(values), id: company.id, version: company.version })}
      initial={valuesOf({ ...company })}
      success="修改成功!"
      display={display}
      valuesOf={valuesOf}
    >
      {fields}
    </FormDrawer>
  );
}
