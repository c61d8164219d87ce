import { Modal } from 'antd';
import { useEffect, useState } from 'react';
import { Upload } from '../../../../kernel/web/files/Upload.tsx';
import type { UploadedFile } from '../../../../kernel/web/files/places.ts';
import { FoundSelect } from '../../../../kernel/web/kit/FoundSelect.tsx';
import { RegionPicker } from '../../../../kernel/web/kit/pickers.tsx';
import { useSession } from '../../../../kernel/web/session/store.ts';
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

/** What a field of the frame asks for, asked in the page's own window. */
export function ChooseDialog({ title, choice, value, search, onDone }: Props) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const shown = chosen?.value ?? value;
  return (
    <Modal
      open
      title={title}
      width={520}
      okText="确定"
      cancelText="取消"
      okButtonProps={{ disabled: chosen === null }}
      onOk={() => onDone(chosen)}
      onCancel={() => onDone(null)}
    >
      {choice.of === 'region' && <RegionField choice={choice} value={shown} onChange={setChosen} />}
      {choice.of === 'file' && <FileField choice={choice} value={shown} onChange={setChosen} />}
      {choice.of === 'options' && <OptionField choice={choice} value={shown} search={search} onChange={setChosen} />}
    </Modal>
  );
}
