import { type Environment, useEnvironment } from "../api/environment.tsx";

const choices: { environment: Environment; label: string; about: string }[] = [
  { environment: "test", label: "Test", about: "Made-up businesses, free" },
  { environment: "live", label: "Live", about: "Real listings, one unit per page" },
];

/** Which of the two worlds the pages show. They share nothing. */
export function EnvironmentSwitch() {
  const { environment, setEnvironment } = useEnvironment();
  return (
    <div className="segmented" role="group" aria-label="Environment" data-environment={environment}>
      {choices.map((choice) => (
        <button
          key={choice.environment}
          type="button"
          title={choice.about}
          aria-pressed={environment === choice.environment}
          onClick={() => setEnvironment(choice.environment)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}
