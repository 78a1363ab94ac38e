import { type ComponentProps, type ReactNode, useId } from "react";

type FieldProps = Omit<ComponentProps<"input">, "id"> & {
  label: string;
  hint?: ReactNode;
  problem?: string | undefined;
};

/** A labelled input whose hint and problem a screen reader finds too. */
export function Field({ label, hint, problem, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        className="input"
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-hint ${id}-problem`}
      />
      {hint && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {problem && (
        <span className="problem" id={`${id}-problem`} role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}
