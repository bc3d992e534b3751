import { Children, Component, type ErrorInfo, type ReactNode } from "react";
import { t } from "$/public/external/walletmodal/components/language/language/language.ts";
import "./own_part.css";

type About = { what?: string; source?: string };
type Raised = About & { error?: string; onAgain?: () => void };

/** In development what raised, and where; to a visitor a sentence. The header's way back stays either way. */
export function RaisedPart({ what = "", source = "", error = "", onAgain }: Raised) {
  return (
    <div className="wm-own-raised" role="alert" data-testid="own-part-raised">
      <div className="wm-words">
        <p className="wm-heading">{what ? `${what} raised` : t("This part could not be shown")}</p>
        {source ? (
          <>
            <code className="wm-own-source">{source}</code>
            <p className="wm-text wm-own-error">{error}</p>
          </>
        ) : (
          <p className="wm-text">{t("Nothing has changed, and everything else works. Go back, or try again.")}</p>
        )}
      </div>
      {onAgain && (
        <button type="button" className="wm-button" data-variant="accent" data-size="md" onClick={onAgain}>
          <span className="wm-button-label">{t("Try again")}</span>
        </button>
      )}
    </div>
  );
}

type Props = About & { content?: boolean; children?: ReactNode };

/** The first child. Once it has raised: the second, which is ours; in development, and without one, the card. */
export class OwnPart extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(error: Error, { componentStack }: ErrorInfo): void {
    if (error instanceof Error) error.stack = `${error.stack ?? error.message}\n${componentStack ?? ""}`;
    // Reflex tells the server what reaches the window.
    reportError(error);
  }

  override render(): ReactNode {
    const { what = "", source = "", content = false, children } = this.props;
    const [own, ours] = Children.toArray(children);
    const { error } = this.state;
    if (error && !source && ours) return ours;
    return (
      <div className="wm-own" data-content={content ? "true" : undefined}>
        {error ? (
          <RaisedPart what={what} source={source} error={error.message} onAgain={() => this.setState({ error: null })} />
        ) : (
          own
        )}
      </div>
    );
  }
}
