// A text that can be dragged and dropped on, with Swing; see peer.py for how it says where it is.
//
//   java JavaPeer.java (text|html) --geometry WxH+X+Y --text TEXT
//
// The text is selected, so that a press on it drags it. As target it inserts text where it is dropped, and says so.

import java.awt.Point;
import java.awt.Rectangle;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.swing.JEditorPane;
import javax.swing.JFrame;
import javax.swing.JTextArea;
import javax.swing.SwingUtilities;
import javax.swing.Timer;
import javax.swing.event.DocumentEvent;
import javax.swing.event.DocumentListener;
import javax.swing.text.JTextComponent;

public class JavaPeer {
  private static final int ROUND = 20;
  private static Point last;
  private static int rounds;

  public static void main(String[] arguments) {
    String geometry = "300x300+0+0";
    String text = "";
    for (int i = 1; i + 1 < arguments.length; i += 2) {
      if (arguments[i].equals("--geometry")) geometry = arguments[i + 1];
      if (arguments[i].equals("--text")) text = arguments[i + 1];
    }
    Matcher parts = Pattern.compile("(\\d+)x(\\d+)\\+(-?\\d+)\\+(-?\\d+)").matcher(geometry);
    if (arguments.length == 0 || !parts.matches()) {
      System.err.println("java JavaPeer.java (text|html) --geometry WxH+X+Y --text TEXT");
      System.exit(64);
    }
    boolean isHTML = arguments[0].equals("html");
    String content = text;
    SwingUtilities.invokeLater(() -> show(isHTML, content, rectangle(parts)));
  }

  private static Rectangle rectangle(Matcher parts) {
    int[] n = new int[4];
    for (int i = 0; i < 4; i++) n[i] = Integer.parseInt(parts.group(i + 1));
    return new Rectangle(n[2], n[3], n[0], n[1]);
  }

  private static void show(boolean isHTML, String content, Rectangle place) {
    JTextComponent area = isHTML ? new JEditorPane("text/html", content) : new JTextArea(content);
    area.setFont(area.getFont().deriveFont(24f));
    area.setDragEnabled(true);
    area.getDocument().addDocumentListener(new DocumentListener() {
      public void insertUpdate(DocumentEvent event) {
        emit("drop", "\"action\": \"copy\", \"length\": " + event.getLength());
      }

      public void removeUpdate(DocumentEvent event) {
        emit("removed", "\"length\": " + event.getLength());
      }

      public void changedUpdate(DocumentEvent event) {}
    });
    JFrame frame = new JFrame("java peer");
    frame.setDefaultCloseOperation(JFrame.EXIT_ON_CLOSE);
    frame.add(area);
    frame.setBounds(place);
    frame.setVisible(true);
    area.selectAll();
    new Timer(ROUND, event -> announce((Timer) event.getSource(), area)).start();
  }

  /** Says where the window, and where the text is, once both have stayed the same for three rounds. */
  private static void announce(Timer timer, JTextComponent area) {
    if (!area.isShowing()) return;
    Point now = area.getLocationOnScreen();
    rounds = now.equals(last) ? rounds + 1 : 0;
    last = now;
    if (rounds < 3) return;
    timer.stop();
    emit("ready", "\"window\": 0, \"width\": " + area.getWidth() + ", \"height\": " + area.getHeight() + ", \"x\": "
        + now.x + ", \"y\": " + now.y + textPlace(area, now));
  }

  private static String textPlace(JTextComponent area, Point origin) {
    try {
      // Of the first character: the text may be shorter than the window.
      Rectangle first = area.modelToView2D(1).getBounds();
      return ", \"text-x\": " + (origin.x + first.x) + ", \"text-y\": " + (origin.y + (int) first.getCenterY());
    } catch (javax.swing.text.BadLocationException empty) {
      return "";
    }
  }

  private static void emit(String event, String fields) {
    System.out.println("{\"event\": \"" + event + "\", " + fields + "}");
    System.out.flush();
  }
}
