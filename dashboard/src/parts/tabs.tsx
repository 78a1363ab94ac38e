type TabsProps<Value extends string> = {
  label: string;
  value: Value;
  onChange(value: Value): void;
  choices: readonly { value: Value; label: string }[];
};

/** A few views of the same thing, one at a time. */
export function Tabs<Value extends string>({ label, value, onChange, choices }: TabsProps<Value>) {
  return (
    <div className="segmented" role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}
