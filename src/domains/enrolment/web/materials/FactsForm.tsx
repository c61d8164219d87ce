import { Form } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import type { OtherMaterialDetail, saveOtherMaterialWork } from '../../contract/calls/otherMaterials.ts';
import { factsOfKind, otherMaterialFacts } from '../../contract/materialFacts.ts';

type Facts = NonNullable<InputOf<typeof saveOtherMaterialWork>['facts']>;
/** Shown masked: what is typed over one replaces it, an empty field leaves it. */
const MASKED: ReadonlySet<string> = new Set(['mobile', 'payeeAccount']);

/** A placeholder is one line: what is hidden of a long number is four stars. */
const shortMask = (masked: string) => masked.replace(/\*{5,}/, '****');

interface FactsFormProps {
  material: OtherMaterialDetail;
  onWrite(facts: Facts): void;
}

/** 事实录入: what stands on the papers, completed by the reviewer; each right value is stored as it is written. */
export function FactsForm({ material, onWrite }: FactsFormProps) {
  const [form] = Form.useForm<Facts>();
  const { needed, more } = factsOfKind[material.kind];
  const names = [...needed, ...more];
  const initial = Object.fromEntries(names.filter((name) => !MASKED.has(name)).map((name) => [name, material.facts[name] ?? undefined]));
  const write = (changed: Partial<Facts>) => {
    const given = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== null && value !== ''));
    const right = otherMaterialFacts.safeParse(given);
    if (right.success && Object.keys(right.data).length > 0) onWrite(right.data);
  };
  return (
    <Form<Facts> form={form} layout="vertical" initialValues={initial} onValuesChange={write} className="enr-entry">
      {names.map((name) => (
        <Field
          key={name}
          of={otherMaterialFacts}
          name={name}
          starred={needed.includes(name)}
          {...(MASKED.has(name) &&
            material.facts[name] !== null && { placeholder: `${shortMask(String(material.facts[name]))}，不改请留空` })}
        />
      ))}
    </Form>
  );
}
