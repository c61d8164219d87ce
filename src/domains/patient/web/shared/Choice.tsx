interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  onChange(value: Value): void;
  options: readonly { value: Value; label: string }[];
}

/** One of a few, as buttons in a row. */
export function Choice<Value extends string>({ label, value, onChange, options }: ChoiceProps<Value>) {
  return (
    <span role="group" aria-label={label} className="pa-choice">
      {options.map((option) => (
        <button key={option.value} type="button" aria-pressed={option.value === value} onClick={() => onChange(option.value)}>
          {option.label}
        </button>
      ))}
    </span>
  );
}
