import { Input, Tooltip } from 'antd';
import { useContext, useEffect, useState, type ComponentProps, type ReactElement } from 'react';
import { TypedFault } from '../form/typedFault.ts';
import { useUnread } from '../form/unread.ts';

interface Bound {
  /** The most letters; undefined: as many as one likes. */
  most: number | undefined;
  /** Shows how many there are. */
  showCount?: boolean;
}
type Bounded<P> = Omit<P, 'maxLength' | 'showCount' | 'count'> & Bound;

const faultOf = (value: unknown, most: number | undefined): string | null =>
  most !== undefined && typeof value === 'string' && value.length > most ? `最多${most}个字，现在有${value.length}个字` : null;

/**
 * What is too long is not cut, as a browser would cut what is pasted: it stays to be seen, the field says how long it may be, and what it
 * belongs to is not sent.
 */
function useBound(given: { value?: unknown; defaultValue?: unknown }, { most, showCount = false }: Bound) {
  // Of a field that keeps its text to itself.
  const [typed, setTyped] = useState(given.defaultValue);
  const isKept = !('value' in given);
  const item = useContext(TypedFault);
  const fault = faultOf(isKept ? typed : given.value, most);
  useUnread(item === null ? fault : null);
  useEffect(() => {
    if (item === null) return undefined;
    item.current = fault;
    return () => {
      item.current = null;
    };
  }, [item, fault]);
  return {
    bound: { count: { ...(most !== undefined && { max: most }), show: showCount }, ...(fault !== null && { status: 'error' as const }) },
    /** The rule of the form item runs before the next render. */
    tell: (text: string) => {
      if (item !== null) item.current = faultOf(text, most);
      if (isKept) setTyped(text);
    },
    isKept,
    told: item === null ? fault : null,
  };
}

const Told = ({ fault, children }: { fault: string | null; children: ReactElement }) => (
  <Tooltip title={fault} open={fault !== null} placement="topLeft">
    {children}
  </Tooltip>
);

/** A text of one line, outside of a `Field`, whose contract says how long it may be. */
export function TextInput({ most, showCount, onChange, ...rest }: Bounded<ComponentProps<typeof Input>>) {
  const { bound, tell, told } = useBound(rest, { most, ...(showCount !== undefined && { showCount }) });
  return (
    <Told fault={told}>
      <Input
        {...rest}
        {...bound}
        onChange={(event) => {
          tell(event.target.value);
          onChange?.(event);
        }}
      />
    </Told>
  );
}

/** A text of several lines. */
export function TextArea({ most, showCount, onChange, ...rest }: Bounded<ComponentProps<typeof Input.TextArea>>) {
  const { bound, tell, told } = useBound(rest, { most, ...(showCount !== undefined && { showCount }) });
  return (
    <Told fault={told}>
      <Input.TextArea
        {...rest}
        {...bound}
        onChange={(event) => {
          tell(event.target.value);
          onChange?.(event);
        }}
      />
    </Told>
  );
}

/** A text that is searched for: nothing is, as long as it is too long. */
export function TextSearch({ most, onChange, onSearch, ...rest }: Bounded<ComponentProps<typeof Input.Search>>) {
  const { bound, tell, told, isKept } = useBound(rest, { most });
  return (
    <Told fault={told}>
      <Input.Search
        {...rest}
        {...bound}
        onChange={(event) => {
          tell(event.target.value);
          if (!isKept || faultOf(event.target.value, most) === null) onChange?.(event);
        }}
        onSearch={(text, ...how) => {
          if (faultOf(text, most) === null) onSearch?.(text, ...how);
        }}
      />
    </Told>
  );
}
