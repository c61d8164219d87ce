import { Modal } from 'antd';
import { useEffect, useState } from 'react';
import { asDraft, type BuiltGroup, type TypedVariable } from '#kernel/contract/rules/groups.ts';
import { isComplete } from '#kernel/contract/rules/typed.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { GroupEditor } from '#kernel/web/form/GroupEditor.tsx';
import { FoundSelect } from '#kernel/web/kit/FoundSelect.tsx';
import { RegionPicker } from '#kernel/web/kit/pickers.tsx';
import { useSession } from '#kernel/web/session/store.ts';
import { builtIn, conditionWords, variablesOf } from '../../contract/conditions.ts';
import type { Choice, Chosen } from './messages.ts';
import { regionWords } from './regionWords.ts';

type Option = { value: string; label: string };
export type Search = (dataset: string, options: string, keyword: string) => Promise<readonly Option[]>;

interface Props {
  title: string;
  choice: Choice;
  value: string;
  search: Search;
  onDone(chosen: Chosen | null): void;
}
interface FieldProps<C extends Choice> {
  choice: C;
  value: string;
  onChange(chosen: Chosen | null): void;
}
type Of<Kind extends Choice['of']> = Extract<Choice, { of: Kind }>;

function RegionField({ value, onChange }: FieldProps<Of<'region'>>) {
  const cities = useSession((state) => state.cityList);
  return (
    <RegionPicker
      aria-label="省市区"
      value={value === '' ? null : value}
      onChange={(adcode) => onChange(adcode === null ? null : { value: adcode, text: regionWords(cities, adcode) })}
    />
  );
}

function FileField({ choice, onChange }: FieldProps<Of<'file'>>) {
  const [files, setFiles] = useState<readonly UploadedFile[]>([]);
  const change = (next: readonly UploadedFile[]) => {
    setFiles(next);
    onChange(
      next.length === 0
        ? null
        : { value: next.map(({ fileId }) => fileId).join(','), text: next.map(({ fileName }) => fileName).join('、') },
    );
  };
  return <Upload purpose={choice.purpose} max={choice.max} value={files} onChange={change} />;
}

function OptionField({ choice, value, search, onChange }: FieldProps<Of<'options'>> & { search: Search }) {
  const [keyword, setKeyword] = useState('');
  const [round, setRound] = useState(0);
  const [found, setFound] = useState<{ options: readonly Option[]; fetching: boolean; error: unknown }>({
    options: [],
    fetching: true,
    error: null,
  });
  const { dataset, options } = choice;
  useEffect(() => {
    let gone = false;
    setFound((former) => ({ ...former, fetching: true, error: null }));
    search(dataset, options, keyword).then(
      (next) => !gone && setFound({ options: next, fetching: false, error: null }),
      (error: unknown) => !gone && setFound({ options: [], fetching: false, error }),
    );
    return () => {
      gone = true;
    };
  }, [search, dataset, options, keyword, round]);
  return (
    <FoundSelect
      aria-label="选择记录"
      value={value === '' ? null : value}
      found={{ fetching: found.fetching, error: found.error, refetch: () => setRound(round + 1) }}
      options={found.options}
      onSearch={setKeyword}
      placeholder="输入关键字查找"
      onChange={(next) => {
        const option = found.options.find((one) => one.value === next);
        onChange(option ? { value: option.value, text: option.label } : null);
      }}
    />
  );
}

interface ConditionProps {
  variables: readonly TypedVariable[];
  value: string;
  onChange(chosen: Chosen | null): void;
}

function Conditions({ variables, value, onChange }: ConditionProps) {
  const [group, setGroup] = useState<BuiltGroup>(() => builtIn(value));
  const change = (next: BuiltGroup) => {
    setGroup(next);
    const draft = asDraft(next);
    const text = JSON.stringify(draft);
    const whole = isComplete(draft, (code) => variables.find((one) => one.code === code));
    onChange(whole ? { value: text, text: conditionWords(variables, text) } : null);
  };
  return (
    <>
      <GroupEditor variables={variables} value={group} onChange={change} />
      <p className="kq-hint">每条条件都填写完整后可确定</p>
    </>
  );
}

function ConditionField({ choice, ...rest }: FieldProps<Of<'condition'>>) {
  const read = variablesOf(choice.variables);
  return read.fault === null ? <Conditions variables={read.variables} {...rest} /> : <p role="alert">{read.fault}</p>;
}

/** What a field of the frame asks for, asked in the page's own window. */
export function ChooseDialog({ title, choice, value, search, onDone }: Props) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const shown = chosen?.value ?? value;
  return (
    <Modal
      open
      title={title}
      width={choice.of === 'condition' ? 860 : 520}
      okText="确定"
      cancelText="取消"
      okButtonProps={{ disabled: chosen === null }}
      onOk={() => onDone(chosen)}
      onCancel={() => onDone(null)}
    >
      {choice.of === 'region' && <RegionField choice={choice} value={shown} onChange={setChosen} />}
      {choice.of === 'condition' && <ConditionField choice={choice} value={value} onChange={setChosen} />}
      {choice.of === 'file' && <FileField choice={choice} value={shown} onChange={setChosen} />}
      {choice.of === 'options' && <OptionField choice={choice} value={shown} search={search} onChange={setChosen} />}
    </Modal>
  );
}
