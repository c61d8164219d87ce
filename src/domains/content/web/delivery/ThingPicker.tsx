import { useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { FoundSelect, useFoundOptions } from '#kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { queryThingList, queryThingTypeList, thingTypes, type ThingType } from '../../contract/delivery/things.ts';

const FRESH = 30_000;
const LONG = 3_600_000;

/** Whether a kind of thing has an owner that answers for it; false while that is not known. */
export function useThingTypes(): (type: ThingType) => boolean {
  const { data } = useData(queryThingTypeList, {}, { fresh: LONG, quiet: true });
  return (type) => data?.includes(type) ?? false;
}

interface ThingPickerProps extends PickerProps<string> {
  thingType: ThingType;
  /** What the value is: links name things by their numbers. */
  by: 'no' | 'id';
  onName?(name: string): void;
}

/** One record of another domain, found by its number or name. */
export function ThingPicker({ thingType, by, onName, ...props }: ThingPickerProps) {
  const [keyword, setKeyword] = useState('');
  /** A page may hold thirty of these; what there is to choose is asked for by the one that is used. */
  const [used, setUsed] = useState(false);
  const onSearch = useDebouncedCallback(setKeyword);
  const chosen = props.value ?? '';
  const found = useData(queryThingList, { thingType, keyword }, { enabled: used, fresh: FRESH, quiet: true });
  const known = useData(
    queryThingList,
    { thingType, ...(by === 'id' ? { id: chosen } : { keyword: chosen }) },
    {
      enabled: chosen !== '',
      fresh: FRESH,
      quiet: true,
    },
  );
  const optionsOf = (things: typeof found.data) => things?.map((thing) => ({ value: thing[by], label: `${thing.no}　${thing.name}` }));
  const options = useFoundOptions(
    chosen || null,
    { ...found, data: optionsOf(found.data) },
    { ...known, data: optionsOf(known.data?.filter((thing) => thing[by] === chosen)) },
  );
  return (
    <div className="dl-contents" onFocusCapture={() => setUsed(true)}>
      <FoundSelect
        placeholder={`请选择${thingTypes.label(thingType)}`}
        {...props}
        value={chosen || null}
        found={found}
        options={options}
        onSearch={onSearch}
        onChange={(next) => {
          props.onChange?.(next);
          onName?.(found.data?.find((thing) => thing[by] === next)?.name ?? '');
        }}
      />
    </div>
  );
}
