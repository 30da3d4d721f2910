;;; parley-questions.el --- Questions that wait for you  -*- lexical-binding: t; -*-

;;; Commentary:

;; Questions wait in a line.  The first comes up when you have not typed for a
;; moment and no minibuffer is open, so that nothing you type is taken for an
;; answer by accident; `parley-answer' shows it at any time.

;;; Code:

(require 'parley-client)

(defface parley-host '((t :inherit bold)) "What Parley itself says." :group 'parley)
(defface parley-quote '((t :inherit default)) "What a server says." :group 'parley)
(defface parley-hint '((t :inherit shadow)) "Hints." :group 'parley)
(defface parley-problem '((t :inherit warning)) "What is wrong." :group 'parley)
(defface parley-address '((t :inherit (bold underline))) "The host of a page." :group 'parley)

(cl-defstruct parley-question
  method params
  values   ; of a form: a vector, see parley-form
  problems ; of a form: what is wrong with each field
  postponed over)

(defvar parley--questions nil "The questions that wait, in the order in which they came.")
(defvar parley--current nil "The question that is put right now, or nil.")

(defcustom parley-idle-delay 0.5
  "How long you must not have typed before a question comes up, in seconds."
  :type 'number
  :group 'parley)

(declare-function parley--put-form "parley-form")
(declare-function parley--put-page "parley-page")
(declare-function parley--put-sample "parley-sample")
(declare-function parley--put-roots "parley-sample")
(declare-function parley--put-sign-in "parley-sign-in")
(declare-function parley--put-browser "parley-sign-in")

(defun parley--get (question key)
  "What the params of QUESTION say of KEY."
  (plist-get (parley-question-params question) key))

(defun parley--find (ask)
  "The waiting question with the id ASK."
  (cl-find ask parley--questions :key (lambda (q) (parley--get q :ask)) :test #'equal))

(defun parley--add-question (method params)
  "Take the question METHOD with PARAMS."
  (let ((known (parley--find (plist-get params :ask))))
    (if known                    ; asked again: its answer could not be sent
        (setf (parley-question-params known) params
              (parley-question-postponed known) nil)
      (setq parley--questions
            (append parley--questions (list (make-parley-question :method method :params params))))))
  (message "%s asks something: M-x parley-answer" (plist-get params :server))
  (force-mode-line-update t)
  (parley--soon))

(defvar parley--timer nil "What looks whether a question can be put, or nil.")

(defun parley--soon ()
  "Put the next question when nothing was typed for a moment."
  ;; No idle timer: after a prompt that a timer put, Emacs does not count as
  ;; idle until the next key, and those never fire.
  (unless parley--timer
    (setq parley--timer (run-with-timer parley-idle-delay nil #'parley--next))))

(defun parley--next ()
  "Put the next question, unless the person is in the middle of something."
  (setq parley--timer nil)
  (when-let ((question (and (not parley--current)
                            (cl-find-if-not #'parley-question-postponed parley--questions)))
             (idle (or (current-idle-time) parley-idle-delay)))
    (if (or (active-minibuffer-window) (time-less-p idle parley-idle-delay))
        (parley--soon)
      (parley--put question))))

(defun parley-answer ()
  "Put the first question that waits."
  (interactive)
  (cond (parley--current (user-error "A question is put already"))
        ((null parley--questions) (message "Nothing waits for you"))
        (t (parley--put (car parley--questions)))))

(defun parley--put (question)
  "Put QUESTION to the person.
What quits leaves it waiting, unless it is moot."
  (setq parley--current question)
  (discard-input)
  (unwind-protect
      (condition-case nil
          (pcase (parley-question-method question)
            ('ask/elicit (parley--put-form question))
            ('ask/url (parley--put-page question))
            ('ask/sample (parley--put-sample question))
            ('ask/roots (parley--put-roots question))
            ('ask/sign-in (parley--put-sign-in question))
            ('ask/browser (parley--put-browser question)))
        (quit
         (unless (parley-question-over question)
           (setf (parley-question-postponed question) t)
           (message "The question waits: M-x parley-answer"))))
    (setq parley--current nil)
    (when (get-buffer "*parley question*")
      (quit-windows-on "*parley question*" t)
      (when-let ((buffer (get-buffer "*parley question*"))) ; no window showed it
        (kill-buffer buffer)))
    (parley--soon)))

(defun parley--forget (question)
  "Take QUESTION out of the line."
  (setf (parley-question-over question) t)
  (setq parley--questions (delq question parley--questions))
  (force-mode-line-update t))

(defun parley--withdraw (ask)
  "The question with the id ASK is moot: close its prompt."
  (when-let ((question (parley--find ask)))
    (parley--forget question)
    (message "%s does not wait for an answer any more" (parley--get question :server))
    (when (and (eq question parley--current) (active-minibuffer-window))
      (run-at-time 0 nil (lambda ()
                           (when (and (eq question parley--current) (active-minibuffer-window))
                             (abort-recursive-edit)))))))

(defun parley--forget-questions ()
  "Drop every question: the helper is gone."
  (dolist (question (copy-sequence parley--questions))
    (parley--withdraw (parley--get question :ask))))

(defun parley--answer (question action &rest more)
  "Answer QUESTION by ACTION, with MORE of the answer, and return t.
If it cannot be sent, return the error's data, or nil without any."
  (pcase (parley--wait-for (parley--connect) 'answer
                           `(:ask ,(parley--get question :ask) :action ,action ,@more))
    (`(t . ,_)
     (parley--forget question)
     t)
    (`(nil . ,problem)
     (message "Parley: %s" (plist-get problem :message))
     (unless (plist-get problem :data)
       (parley--forget question))
     (plist-get problem :data))))

(defun parley--insert-quote (text &optional indent)
  "Insert TEXT of a server's after INDENT, with a bar before each line.
So nothing it says can pass for Emacs' own words."
  (when (and text (not (string-empty-p text)))
    (dolist (line (split-string (string-trim-right text "\n+") "\n"))
      (insert (propertize (concat indent "┃ " line) 'face 'parley-quote) "\n"))))

(defun parley--show (question wants insert-body)
  "Show what QUESTION WANTS; INSERT-BODY inserts the rest."
  (with-current-buffer (get-buffer-create "*parley question*")
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert (propertize (concat (parley--get question :server) " asks" wants) 'face 'parley-host) "\n"
              (propertize (concat "for " (parley--get question :subject)
                                  (when (> (parley--get question :round) 0)
                                    (format ", round %d" (parley--get question :round))))
                          'face 'parley-hint)
              "\n")
      (parley--insert-quote (parley--get question :message))
      (when-let ((problem (parley--get question :problem)))
        (insert (propertize (concat "! " problem) 'face 'parley-problem) "\n"))
      (insert "\n")
      (funcall insert-body)
      (goto-char (point-min)))
    (special-mode)
    (setq-local bidi-display-reordering t
                truncate-lines nil)
    (display-buffer (current-buffer) '((display-buffer-at-bottom) (window-height . fit-window-to-buffer)))))

(defun parley--choose (prompt choices &optional default)
  "Ask with PROMPT for one of CHOICES, a list of (LABEL . VALUE); return VALUE.
DEFAULT is the label that RET takes."
  (let* ((completion-ignore-case t)
         (labels (mapcar #'car choices))
         (table (lambda (string predicate action)
                  (if (eq action 'metadata)
                      '(metadata (display-sort-function . identity))
                    (complete-with-action action labels string predicate))))
         chosen)
    (while (not (setq chosen (assoc (completing-read prompt table nil t nil nil default) choices))))
    (cdr chosen)))

(defun parley--ways (question elicits)
  "How QUESTION can be ended without an answer; ELICITS if it can be declined."
  (append (when elicits
            '(("Decline: tell the server no" . "decline")
              ("Dismiss: close it without choosing" . "cancel")))
          (when (parley--true (parley--get question :mayPark))
            '(("Park: keep everything and resume later" . "park")))
          '(("Stop this call" . "stop"))))

(defun parley-mode-line ()
  "What waits for you, for the mode line."
  (if parley--questions
      (format " Parley: %d waiting for you" (length parley--questions))
    ""))

(provide 'parley-questions)
;;; parley-questions.el ends here
